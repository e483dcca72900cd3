#include <cmath>

#include "tests/conformance/definitions.h"

namespace gyre::conformance {
namespace {

Definition over_axes(Fold f) {
  return [f](const Call& call, const std::vector<Dense>& in) {
    return std::vector<Values>{folded(f, in[0], attribute(call, "axes", Shape()))};
  };
}

double product_of(const Values& x) {
  double p = 1;
  for (double v : x) p *= v;
  return p;
}

double count_of(const Values& x) {
  double n = 0;
  for (double v : x) n += v != 0;
  return n;
}

// Two passes: the mean, then squares about it.
double variance(const Values& x, double correction) {
  double mean = total(x) / static_cast<double>(x.size());
  Values squares;
  for (double v : x) squares.push_back((v - mean) * (v - mean));
  return total(squares) / (static_cast<double>(x.size()) - correction);
}

double p_norm(const Values& x, double p) {
  Values sizes, powers;
  for (double v : x) sizes.push_back(std::fabs(v));
  if (p == 0) return count_of(x);
  if (std::isinf(p)) return sizes[best(sizes, p > 0 ? 1 : -1)];
  for (double v : sizes) powers.push_back(std::pow(v, p));
  return std::pow(total(powers), 1 / p);
}

// Moments over some axes, or of the rows along one.
Definition moment(double (*f)(const Values& x, double number), const char* name, double otherwise) {
  return [=](const Call& call, const std::vector<Dense>& in) {
    double number = attribute(call, name, otherwise);
    return std::vector<Values>{folded([&](const Values& x) { return f(x, number); }, in[0],
                                      attribute(call, "axes", Shape()))};
  };
}
Definition moment_rows(double (*f)(const Values& x, double number), double otherwise) {
  return [=](const Call& call, const std::vector<Dense>& in) {
    double number = attribute(call, "correction", otherwise);
    return std::vector<Values>{
        by_rows([&](const std::vector<Values>& row) { return Values{f(row[0], number)}; }, in,
                attribute(call, "axis", int64_t{-1}))};
  };
}
double deviation(const Values& x, double correction) { return std::sqrt(variance(x, correction)); }

// y_k = a_k y_(k-1) + b_k from either end of a row.
Definition running(double (*next)(double y, const std::vector<Values>& row, size_t k), double y0) {
  return [=](const Call& call, const std::vector<Dense>& in) {
    bool reverse = attribute(call, "reverse", false);
    auto scan = [&](const std::vector<Values>& row) {
      Values r(row[0].size());
      double y = y0;
      for (size_t i = 0; i < r.size(); ++i) {
        size_t k = reverse ? r.size() - 1 - i : i;
        r[k] = y = next(y, row, k);
      }
      return r;
    };
    return std::vector<Values>{by_rows(scan, in, attribute(call, "axis", int64_t{-1}))};
  };
}

const Definitions kReduce({
    {"sum", over_axes(total)},
    {"mean", over_axes([](const Values& x) { return total(x) / static_cast<double>(x.size()); })},
    {"prod", over_axes(product_of)},
    {"any", over_axes([](const Values& x) { return count_of(x) > 0 ? 1.0 : 0.0; })},
    {"all", over_axes([](const Values& x) {
       return count_of(x) == static_cast<double>(x.size()) ? 1.0 : 0.0;
     })},
    {"var", moment(variance, "correction", 1)},
    {"std", moment(deviation, "correction", 1)},
    {"norm", moment(p_norm, "p", 2)},
    {"var_rows", moment_rows(variance, 1)},
    {"std_rows", moment_rows(deviation, 1)},
    {"norm_rows", moment_rows(p_norm, 2)},
    {"cumsum", running([](double y, const auto& x, size_t k) { return y + x[0][k]; }, 0)},
    {"cumprod", running([](double y, const auto& x, size_t k) { return y * x[0][k]; }, 1)},
    {"linear_recurrence",
     running([](double y, const auto& x, size_t k) { return x[0][k] * y + x[1][k]; }, 0)},
    {"max", over_axes([](const Values& x) { return x[best(x, 1)]; })},
    {"min", over_axes([](const Values& x) { return x[best(x, -1)]; })},
    {"argmax", over_axes([](const Values& x) { return static_cast<double>(best(x, 1)); })},
    {"argmin", over_axes([](const Values& x) { return static_cast<double>(best(x, -1)); })},
});

}  // namespace
}  // namespace gyre::conformance
