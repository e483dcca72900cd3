#include <algorithm>
#include <cmath>

#include "gyre/base/record.h"
#include "tests/conformance/definitions.h"

namespace gyre::conformance {
namespace {

// Reduction: 0 mean, 1 sum, 2 none. The mean divides by `count`.
std::vector<Values> reduced(const Call& call, const Values& terms, double count) {
  int how = attribute(call, "reduction", uint8_t{0});
  if (how == 2) return {terms};
  return {{how == 1 ? total(terms) : total(terms) / count}};
}

// A loss whose terms are f(x, y, the attribute or third operand).
Definition loss(double (*f)(double, double, double), const char* parameter = "") {
  return [f, parameter](const Call& call, std::vector<Dense> in) {
    if (in.size() == 2) {
      in.emplace_back();
      in[2].v = {attribute(call, parameter, 1.0)};
    } else if (in[2].v.empty()) {
      in[2].v = {1};
    }
    Values terms = elementwise(f, in);
    return reduced(call, terms, static_cast<double>(terms.size()));
  };
}
Definition terms(double (*f)(double, double, double)) {
  return [f](const Call&, const std::vector<Dense>& in) {
    return std::vector<Values>{elementwise(f, in)};
  };
}

double squared(double x, double y, double) { return (x - y) * (x - y); }
double distance(double x, double y, double) { return std::fabs(x - y); }
double huber(double x, double y, double delta) {
  double d = std::fabs(x - y);
  return d <= delta ? d * d / 2 : delta * (d - delta / 2);
}
double smooth(double x, double y, double beta) {
  double d = std::fabs(x - y);
  return d < beta ? d * d / (2 * beta) : d - beta / 2;
}
double bce(double p, double y, double) {
  return -y * std::max(std::log(p), -100.0) - (1 - y) * std::max(std::log(1 - p), -100.0);
}
double bce_with_logits(double x, double y, double weight) {
  return weight * y * std::log1p(std::exp(-x)) + (1 - y) * std::log1p(std::exp(x));
}
double kl(double x, double y, double) { return y == 0 ? 0 : y * (std::log(y) - x); }
double kl_of_logs(double x, double y, double) { return std::exp(y) * (y - x); }

double log_of_sum(const Values& x) {
  double m = x[best(x, 1)];
  Values e;
  for (double v : x) e.push_back(std::exp(v - m));
  return m + std::log(total(e));
}

// One row's -sum weight q log softmax(x), with label smoothing of q.
double cross_entropy_of(const Values& x, Values q, const Values& weight, double smoothing) {
  double all = log_of_sum(x), loss = 0;
  for (size_t k = 0; k < x.size(); ++k) {
    q[k] = (1 - smoothing) * q[k] + smoothing / static_cast<double>(x.size());
    loss += (weight.empty() ? 1 : weight[k]) * q[k] * (all - x[k]);
  }
  return loss;
}

Values one_hot(size_t n, double place) {
  Values q(n, 0.0);
  q[static_cast<size_t>(place)] = 1;
  return q;
}

// Class indices laid out so that they broadcast to x along its axis.
Dense beside(Dense target, const Dense& x, int64_t axis) {
  if (x.shape.rank == 0) return target;
  target.shape = x.shape;
  target.shape[static_cast<int>(axis < 0 ? axis + x.shape.rank : axis)] = 1;
  return target;
}

// A weight [classes] laid out to broadcast along the axis.
Dense along(Dense weight, const Dense& x, int64_t axis) {
  if (weight.v.empty()) return weight;
  Shape shape{static_cast<int64_t>(weight.v.size())};
  for (auto i = axis < 0 ? axis + x.shape.rank : axis; i + 1 < x.shape.rank; ++i) {
    shape.push_back(1);
  }
  weight.shape = shape;
  return weight;
}

using RowLoss = std::function<double(const Values& x, double target, const Values& weight)>;

// Losses of the rows, and the divisor of the mean: the weights of the targets that count.
struct RowLosses {
  Values losses;
  double count = 0;
  RowLosses(const Call& call, const Dense& x, const Dense& target, const Dense& weight,
            const RowLoss& f) {
    auto axis = attribute(call, "axis", int64_t{-1});
    auto ignored = static_cast<double>(attribute(call, "ignore_index", int64_t{-100}));
    auto row = [&](const std::vector<Values>& in) -> Values {
      double t = in[1][0];
      if (t == ignored) return {0};
      count += in[2].empty() ? 1 : in[2][static_cast<size_t>(t)];
      return {f(in[0], t, in[2])};
    };
    losses = by_rows(row, {x, beside(target, x, axis), along(weight, x, axis)}, axis);
  }
};

double nll_row(const Values& x, double target, const Values& weight) {
  auto t = static_cast<size_t>(target);
  return -(weight.empty() ? 1 : weight[t]) * x[t];
}

RowLosses by_class(const Call& call, const Dense& x, const Dense& target, const Dense& weight) {
  double smoothing = attribute(call, "label_smoothing", 0.0);
  return RowLosses(call, x, target, weight, [&](const Values& row, double t, const Values& w) {
    return cross_entropy_of(row, one_hot(row.size(), t), w, smoothing);
  });
}

Values by_probability(const Call& call, const Dense& x, const Dense& target, const Dense& weight) {
  double smoothing = attribute(call, "label_smoothing", 0.0);
  auto axis = attribute(call, "axis", int64_t{-1});
  return by_rows(
      [&](const std::vector<Values>& in) {
        return Values{cross_entropy_of(in[0], in[1], in[2], smoothing)};
      },
      {x, target, along(weight, x, axis)}, axis);
}

std::vector<Values> cross_entropy(const Call& call, const std::vector<Dense>& in) {
  if (is_floating(call.in[1].dtype())) {
    Values losses = by_probability(call, in[0], in[1], in[2]);
    return reduced(call, losses, static_cast<double>(losses.size()));
  }
  RowLosses rows = by_class(call, in[0], in[1], in[2]);
  return reduced(call, rows.losses, rows.count);
}

const Definitions kLoss({
    {"mse_terms", terms(squared)},
    {"l1_terms", terms(distance)},
    {"huber_terms", terms(huber)},
    {"bce_terms", terms(bce)},
    {"bce_with_logits_terms", terms(bce_with_logits)},
    {"kl_div_terms", terms(kl)},
    {"kl_div_log_terms", terms(kl_of_logs)},
    {"mse", loss(squared)},
    {"l1", loss(distance)},
    {"huber", loss(huber, "delta")},
    {"smooth_l1", loss(smooth, "beta")},
    {"bce", loss(bce)},
    {"bce_with_logits", loss(bce_with_logits)},
    {"kl_div",
     [](const Call& call, const std::vector<Dense>& in) {
       Values t = elementwise(attribute(call, "log_target", false) ? kl_of_logs : kl, in);
       return reduced(call, t, static_cast<double>(t.size()));
     }},
    {"nll",
     [](const Call& call, const std::vector<Dense>& in) {
       RowLosses rows(call, in[0], in[1], in[2], nll_row);
       return reduced(call, rows.losses, rows.count);
     }},
    {"cross_entropy_rows",
     [](const Call& call, const std::vector<Dense>& in) {
       return std::vector<Values>{by_class(call, in[0], in[1], {}).losses};
     }},
    {"weighted_cross_entropy_rows",
     [](const Call& call, const std::vector<Dense>& in) {
       return std::vector<Values>{by_class(call, in[0], in[2], in[1]).losses};
     }},
    {"probability_cross_entropy_rows",
     [](const Call& call, const std::vector<Dense>& in) {
       return std::vector<Values>{by_probability(call, in[0], in[1], in[2])};
     }},
    {"cross_entropy", cross_entropy},
});

}  // namespace
}  // namespace gyre::conformance
