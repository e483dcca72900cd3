#include "gyre/train/training_log.h"

#include "gyre/base/error.h"
#include "gyre/io/json.h"

namespace gyre {
namespace {

double number(const Json& entry, const char* name) {
  const Json* value = entry.find(name);
  return value && value->is_number() ? value->as_real() : 0;
}

}  // namespace

TrainingLog::TrainingLog(const std::string& folder, int64_t step)
    : path_(folder + "/log.jsonl"), plot_path_(folder + "/loss.svg") {
  read(step);
  log_ = std::make_unique<LineLog>(path_);
}

void TrainingLog::read(int64_t step) {
  if (!file_exists(path_)) return;
  std::string all = read_file(path_), kept;
  for (size_t at = 0, end; at < all.size(); at = end + 1) {
    end = std::min(all.find('\n', at), all.size());
    std::string_view line = std::string_view(all).substr(at, end - at);
    Json entry;
    try {
      entry = Json::parse(line);
    } catch (const Error&) {
      continue;  // half a line of a process that was killed
    }
    double of = number(entry, "step");
    if (of > static_cast<double>(step) || !entry.find("step")) continue;
    kept.append(line) += '\n';
    if (entry.find("loss")) training_.push_back({of, number(entry, "loss")});
    if (entry.find("val_loss")) validation_.push_back({of, number(entry, "val_loss")});
  }
  write_file_atomic(path_, kept);
}

void TrainingLog::add(const StepProgress& p) {
  Json entry = Json::object();
  entry["step"] = p.step;
  entry["loss"] = p.loss;
  entry["lr"] = p.lr;
  entry["gradient_norm"] = p.gradient_norm;
  entry["tokens_per_second"] = p.tokens_per_second;
  entry["elapsed"] = p.elapsed;
  log_->append(entry.dump());
  training_.push_back({static_cast<double>(p.step), p.loss});
}

void TrainingLog::add(const Validation& v) {
  Json entry = Json::object();
  entry["step"] = v.step;
  entry["val_loss"] = v.loss;
  entry["val_bits_per_byte"] = v.bits_per_byte;
  log_->append(entry.dump());
  validation_.push_back({static_cast<double>(v.step), v.loss});
}

void TrainingLog::draw() const { write_file_atomic(plot_path_, loss_svg(training_, validation_)); }

}  // namespace gyre
