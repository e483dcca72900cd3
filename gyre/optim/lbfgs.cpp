#include "gyre/optim/lbfgs.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gyre/base/error.h"
#include "gyre/op/apply.h"
#include "gyre/op/attrs.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/in_place.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/optim/state_dict.h"
#include "gyre/tensor/points.h"

namespace gyre {
namespace {

constexpr const char* kLbfgs = "lbfgs";
constexpr double kDecrease = 1e-4, kCurvature = 0.9;  // of the Wolfe conditions
constexpr int kMostSearched = 25;

double dot(const Tensor& x, const Tensor& y) { return sum(x * y).item(); }
double largest(const Tensor& x) { return max(abs(x)).item(); }

void check_parameters(std::span<const Tensor> parameters) {
  if (parameters.empty())
    throw Error(Code::value, kLbfgs, "no parameters to optimise; pass at least one tensor");
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Tensor& t = parameters[i];
    const std::string name = "parameter " + std::to_string(i);
    if (!t.defined() || node_of(t) || !is_floating(t.dtype()) || !has_free_elements(t)) {
      throw Error(Code::value, kLbfgs,
                  name + " must be a leaf tensor of a floating dtype whose elements are free");
    }
    if (t.dtype() != parameters[0].dtype()) {
      throw Error(Code::dtype, kLbfgs,
                  {name, " has dtype ", t.dtype(), ", but parameter 0 has ", parameters[0].dtype()},
                  parameters[0].dtype(), t.dtype());
    }
  }
}

// Where the cubic with these values and slopes at two points is least, within bounds.
double cubic_minimum(double x1, double f1, double g1, double x2, double f2, double g2, double low,
                     double high) {
  const double d1 = g1 + g2 - 3 * (f1 - f2) / (x1 - x2), square = d1 * d1 - g1 * g2;
  if (!(square >= 0)) return (low + high) / 2;
  const double d2 = std::sqrt(square);
  const double least = x1 <= x2 ? x2 - (x2 - x1) * ((g2 + d2 - d1) / (g2 - g1 + 2 * d2))
                                : x1 - (x1 - x2) * ((g1 + d2 - d1) / (g1 - g2 + 2 * d2));
  return std::min(std::max(least, low), high);
}

}  // namespace

Lbfgs::Lbfgs(std::span<const Tensor> parameters, const LbfgsOptions& options)
    : options_(options), parameters_(parameters.begin(), parameters.end()) {
  check_record(kLbfgs, options);
  check_parameters(parameters);
}

void Lbfgs::set_options(const LbfgsOptions& options) {
  check_record(kLbfgs, options);
  options_ = options;
}

Tensor Lbfgs::gradient() const {
  Tensors parts;
  for (const Tensor& p : parameters_) {
    const Tensor g = p.grad();
    parts.push_back(g.defined() ? flatten(g.detach())
                                : zeros({p.numel()}, {p.dtype(), p.device()}));
  }
  return clone(cat(parts, 0));
}

Tensor Lbfgs::values() const {
  Tensors parts;
  for (const Tensor& p : parameters_) parts.push_back(flatten(p.detach()));
  return clone(cat(parts, 0));
}

void Lbfgs::set_values(const Tensor& flat) const {
  int64_t begin = 0;
  for (const Tensor& p : parameters_) {
    const Tensor own = slice(flat, {0, begin, begin + p.numel(), 1});
    copy_(p.detach(), reshape(own, p.shape()));
    begin += p.numel();
  }
}

Tensor Lbfgs::direction(const Tensor& gradient, double scale) const {
  std::vector<double> shares(history_.size());
  Tensor q = -gradient;
  for (size_t i = history_.size(); i-- > 0;) {
    shares[i] = dot(history_[i].step, q) * history_[i].inverse;
    q = q - history_[i].gradient * shares[i];
  }
  q = q * scale;
  for (size_t i = 0; i < history_.size(); ++i)
    q = q + history_[i].step * (shares[i] - dot(history_[i].gradient, q) * history_[i].inverse);
  return q;
}

// A point that satisfies the strong Wolfe conditions, or the best one found.
Lbfgs::Point Lbfgs::line_search(FunctionRef<Point(double)> at, const Point& start, double length,
                                int& evaluations) const {
  const double size = largest(direction_);
  const auto decreases = [&](const Point& p) {
    return p.loss <= start.loss + kDecrease * p.length * start.slope;
  };
  const auto flat = [&](const Point& p) { return std::fabs(p.slope) <= -kCurvature * start.slope; };
  Point before = start, now = at(length), low, high;
  evaluations = 1;
  int steps = 0;
  for (;; ++steps) {
    if (steps == kMostSearched) {
      low = start;
      high = now;
      break;
    }
    const bool passed = !decreases(now) || (steps > 1 && now.loss >= before.loss);
    if (!passed && flat(now)) return now;
    if (passed || now.slope >= 0) {
      low = before;
      high = now;
      break;
    }
    const double least = now.length + 0.01 * (now.length - before.length), most = now.length * 10;
    const double next = cubic_minimum(before.length, before.loss, before.slope, now.length,
                                      now.loss, now.slope, least, most);
    before = std::exchange(now, at(next));
    ++evaluations;
  }
  if (low.loss > high.loss) std::swap(low, high);
  bool close = false;
  for (; steps < kMostSearched; ++steps) {
    const double least = std::min(low.length, high.length),
                 most = std::max(low.length, high.length);
    if ((most - least) * size < options_.tolerance_change) break;
    double next = cubic_minimum(low.length, low.loss, low.slope, high.length, high.loss, high.slope,
                                least, most);
    const double margin = 0.1 * (most - least);
    if (std::min(most - next, next - least) < margin) {  // too close to an end
      if (close || next >= most || next <= least) {
        next = most - next < next - least ? most - margin : least + margin;
        close = false;
      } else {
        close = true;
      }
    } else {
      close = false;
    }
    const Point middle = at(next);
    ++evaluations;
    if (!decreases(middle) || middle.loss >= low.loss) {
      high = middle;
      if (high.loss < low.loss) std::swap(low, high);
      continue;
    }
    const bool done = flat(middle);
    if (!done && middle.slope * (high.length - low.length) >= 0) high = low;
    low = middle;
    if (done) break;
  }
  return low;
}

double Lbfgs::step(FunctionRef<double()> closure) {
  const double first = closure();
  NoGrad scope;
  double loss = first;
  Tensor g = gradient();
  const int64_t most = options_.max_eval > 0 ? options_.max_eval : options_.max_iter * 5 / 4;
  int64_t evaluations = 1;
  if (largest(g) <= options_.tolerance_grad) return first;
  for (int64_t n = 1; n <= options_.max_iter; ++n) {
    if (iterations_++ == 0) {
      direction_ = -g;
      history_.clear();
      scale_ = 1;
    } else {
      const Tensor y = g - gradient_, s = direction_ * length_;
      const double product = dot(y, s);
      if (product > 1e-10) {
        if (static_cast<int64_t>(history_.size()) == options_.history_size) history_.pop_front();
        history_.push_back({s, y, 1 / product});
        scale_ = product / dot(y, y);
      }
      direction_ = direction(g, scale_);
    }
    gradient_ = g;
    loss_ = loss;
    length_ = iterations_ == 1 ? std::min(1.0, 1 / sum(abs(g)).item()) * options_.lr : options_.lr;
    const double slope = dot(g, direction_);
    if (slope > -options_.tolerance_change) break;
    const Tensor before = values();
    const auto at = [&](double length) -> Point {
      set_values(before + direction_ * length);
      double here;
      {
        GradMode recording(true);
        here = closure();
      }
      const Tensor there = gradient();
      return {length, here, there, dot(there, direction_)};
    };
    int used = 0;
    if (options_.line_search_fn == LineSearch::strong_wolfe) {
      const Point end = line_search(at, {0, loss, g, slope}, length_, used);
      length_ = end.length;
      loss = end.loss;
      g = end.gradient;
      set_values(before + direction_ * length_);
    } else if (n != options_.max_iter) {
      const Point end = at(length_);
      loss = end.loss;
      g = end.gradient;
      used = 1;
    } else {
      set_values(before + direction_ * length_);
    }
    evaluations += used;
    if (n == options_.max_iter || evaluations >= most) break;
    if (largest(g) <= options_.tolerance_grad) break;
    if (largest(direction_ * length_) <= options_.tolerance_change) break;
    if (std::fabs(loss - loss_) < options_.tolerance_change) break;
  }
  return first;
}

std::vector<NamedTensor> Lbfgs::state_dict() const {
  std::vector<NamedTensor> state{
      {"iterations", Tensor(iterations_)},
      {"numbers", tensor(std::vector<double>{length_, loss_, scale_}, {3})}};
  if (!direction_.defined()) return state;
  state.push_back({"direction", direction_});
  state.push_back({"gradient", gradient_});
  if (history_.empty()) return state;
  Tensors steps, gradients;
  for (const Change& c : history_) {
    steps.push_back(c.step);
    gradients.push_back(c.gradient);
  }
  state.push_back({"changes", stack(steps, 0)});
  state.push_back({"gradient_changes", stack(gradients, 0)});
  return state;
}

void Lbfgs::load_state_dict(std::span<const NamedTensor> given) {
  NoGrad scope;
  const auto has = [&](const char* name) {
    return std::ranges::find(given, name, &NamedTensor::name);
  };
  int64_t elements = 0;
  for (const Tensor& p : parameters_) elements += p.numel();
  const TensorOptions like{parameters_[0].dtype(), parameters_[0].device()};
  std::vector<NamedTensor> own{{"iterations", Tensor(int64_t{0})},
                               {"numbers", zeros({3}, {DType::f64})}};
  if (has("direction") != given.end()) {
    for (const char* name : {"direction", "gradient"})
      own.push_back({name, zeros({elements}, like)});
    if (const auto changes = has("changes"); changes != given.end()) {
      const int64_t rows = changes->tensor.rank() == 2 ? changes->tensor.size(0) : 1;
      for (const char* name : {"changes", "gradient_changes"})
        own.push_back({name, zeros({rows, elements}, like)});
    }
  }
  const std::vector<Tensor> from = matching_state(kLbfgs, own, given);
  const std::vector<double> numbers = to_vector<double>(from[1]);
  std::deque<Change> history;
  for (int64_t i = 0; from.size() > 4 && i < from[4].size(0); ++i) {
    const auto row = [&](const Tensor& t) { return flatten(clone(slice(t, {0, i, i + 1, 1}))); };
    const Tensor s = row(from[4]), y = row(from[5]);
    history.push_back({s, y, 1 / dot(y, s)});
  }
  if (from.size() > 2) {
    direction_ = clone(from[2]);
    gradient_ = clone(from[3]);
  }
  history_ = std::move(history);
  iterations_ = to_vector<int64_t>(from[0])[0];
  length_ = numbers[0];
  loss_ = numbers[1];
  scale_ = numbers[2];
}

}  // namespace gyre
