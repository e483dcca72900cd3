#include "gyre/train/log/training_log.h"

#include <algorithm>
#include <cmath>

#include "gyre/base/error.h"

namespace gyre {
namespace {

double number(const Json& entry, const char* name) {
  const Json* value = entry.find(name);
  return value && value->is_number() ? value->as_real() : 0;
}

}  // namespace

std::vector<Json> read_training_log(const std::string& path, const char* counter) {
  std::vector<Json> entries;
  std::string all = read_file(path);
  for (size_t at = 0, end; at < all.size(); at = end + 1) {
    end = std::min(all.find('\n', at), all.size());
    try {
      Json entry = Json::parse(std::string_view(all).substr(at, end - at));
      if (entry.find(counter)) entries.push_back(std::move(entry));
    } catch (const Error&) {  // incomplete line of a killed process
    }
  }
  return entries;
}

std::vector<Json> resume_log(const std::string& path, int64_t step, const char* counter) {
  std::vector<Json> entries;
  if (!file_exists(path)) return entries;
  std::string kept;
  for (Json& entry : read_training_log(path, counter)) {
    if (number(entry, counter) > static_cast<double>(step)) continue;
    kept += entry.dump() + '\n';
    entries.push_back(std::move(entry));
  }
  write_file_atomic(path, kept);
  return entries;
}

TrainingLog::TrainingLog(const std::string& folder, int64_t step)
    : plot_path_(folder + "/loss.svg"), events_(folder, step) {
  const std::string path = folder + "/log.jsonl";
  for (const Json& entry : resume_log(path, step)) {
    auto add = [&](const char* name, std::vector<PlotPoint>& points) {
      const Json* loss = entry.find(name);  // null if not finite
      if (loss && loss->is_number()) points.push_back({number(entry, "step"), loss->as_real()});
    };
    add("loss", training_);
    add("val_loss", validation_);
  }
  log_.emplace(path);
}

void TrainingLog::add(const StepProgress& p) {
  const double loss = p.loss.item();
  Json entry = Json::object();
  entry["step"] = p.step;
  entry["loss"] = loss;
  entry["lr"] = p.lr;
  entry["gradient_norm"] = p.gradient_norm.item();
  entry["tokens_per_second"] = p.tokens_per_second;
  entry["elapsed"] = p.elapsed;
  log_->append(entry.dump());
  events_.add(p);
  training_.push_back({static_cast<double>(p.step), loss});
}

void TrainingLog::add(const Validation& v) {
  Json entry = Json::object();
  entry["step"] = v.step;
  for (const FigureDef& f : kFigures) {
    const double value = v.figures.*f.value;
    if (!std::isnan(value)) entry[std::string("val_") + f.name] = value;
  }
  log_->append(entry.dump());
  events_.add(v);
  validation_.push_back({static_cast<double>(v.step), v.figures.loss});
}

void TrainingLog::add_sample(int64_t step, std::string_view text) {
  Json entry = Json::object();
  entry["step"] = step;
  entry["sample"] = text;
  log_->append(entry.dump());
  events_.text("sample", step, text);
}

void TrainingLog::draw() const { write_file_atomic(plot_path_, loss_svg(training_, validation_)); }

}  // namespace gyre
