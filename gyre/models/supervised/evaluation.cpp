#include "gyre/models/supervised/evaluation.h"

#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/loss/loss.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

// y as [N, values] in f64.
Tensor rows_of(const Tensor& y, int64_t values) {
  return to(reshape(y, {y.size(0), values}), DType::f64);
}

Tensor values(const std::vector<double>& numbers) {
  return tensor(numbers, {static_cast<int64_t>(numbers.size())});
}

Tensor in_deviations(const Target& target, const Tensor& y) {
  return (rows_of(y, target.outputs) - values(target.mean)) / values(target.deviation);
}

Json numbers(const std::vector<double>& values) {
  Json list = Json::array();
  for (double value : values) list.push_back(value);
  return list;
}

std::vector<double> numbers_of(const Json& json, const char* name) {
  std::vector<double> values;
  for (const Json& value : json.at(name).as_array(name)) values.push_back(value.as_real(name));
  return values;
}

}  // namespace

void Target::measure(const Tensor& y) {
  const Tensor rows = rows_of(y, outputs);
  const Tensor means = gyre::mean(rows, 0);
  const Tensor deviations = sqrt(gyre::mean(square(rows - means), 0));
  mean = to_vector<double>(means);
  deviation = to_vector<double>(deviations);
  for (double& d : deviation) {
    if (!(d > 0)) d = 1;
  }
}

Tensor Target::loss(const Tensor& out, const Tensor& y) const {
  if (!classes.empty()) return cross_entropy(out, y);
  return mse(out, to(in_deviations(*this, y), out.dtype()));
}

Tensor Target::read(const Tensor& out) const {
  if (!classes.empty()) return argmax(out, 1);
  return to(out, DType::f64) * values(deviation) + values(mean);
}

Json Target::to_json() const {
  Json json = Json::object(), names = Json::array();
  for (const std::string& c : classes) names.push_back(c);
  json["name"] = name;
  json["classes"] = std::move(names);
  json["mean"] = numbers(mean);
  json["deviation"] = numbers(deviation);
  return json;
}

Target Target::from_json(const Json& json) {
  Target target;
  target.name = json.at("name").as_string("name");
  for (const Json& c : json.at("classes").as_array("classes")) {
    target.classes.push_back(c.as_string("classes"));
  }
  target.mean = numbers_of(json, "mean");
  target.deviation = numbers_of(json, "deviation");
  target.outputs =
      static_cast<int64_t>(target.classes.empty() ? target.mean.size() : target.classes.size());
  return target;
}

void Evaluation::add(const Tensor& outputs, const Tensor& y) {
  const auto rows = static_cast<double>(y.size(0));
  examples_ += y.size(0);
  loss_ += target_.loss(outputs, y).item() * rows;
  if (!target_.classes.empty()) {
    right_ += sum(to(eq(target_.read(outputs), y), DType::i64)).item();
    return;
  }
  const Tensor wanted = in_deviations(target_, y), error = to(outputs, DType::f64) - wanted;
  distance_ += sum(abs(error) * values(target_.deviation)).item();
  auto gather = [](Tensor& total, const Tensor& part) {
    total = total.defined() ? total + part : part;
  };
  gather(errors_, sum(square(error), 0));
  gather(sums_, sum(wanted, 0));
  gather(squares_, sum(square(wanted), 0));
}

Figures Evaluation::figures() const {
  Figures f;
  if (examples_ == 0) return f;
  const auto count = static_cast<double>(examples_);
  f.loss = loss_ / count;
  if (!target_.classes.empty()) {
    f.accuracy = right_ / count;
    return f;
  }
  f.mae = distance_ / (count * static_cast<double>(target_.outputs));
  const Tensor spread = squares_ - square(sums_) / Tensor(count);
  const double least = min(spread).item();
  if (least > 1e-12 * max(squares_).item()) f.r2 = 1 - gyre::mean(errors_ / spread).item();
  return f;
}

}  // namespace gyre
