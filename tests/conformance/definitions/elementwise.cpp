#include <cmath>

#include "tests/conformance/definitions.h"

namespace gyre::conformance {
namespace {

double gelu_tanh(double x) {
  double u = std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x);
  return x / (1 + std::exp(-2 * u));
}
double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x))); }
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

Definition each(Scalar f) {
  return [f](const Call&, const std::vector<Dense>& in) {
    return std::vector<Values>{elementwise(f, in)};
  };
}

#define ONE(name, formula) \
  {#name, each([](double x, double, double) -> double { return formula; })},
#define TWO(name, formula) \
  {#name, each([](double x, double y, double) -> double { return formula; })},
#define THREE(name, formula) \
  {#name, each([](double x, double y, double z) -> double { return formula; })},

const Definitions kElementwise({
    // clang-format off
      TWO(add, x + y) TWO(sub, x - y) TWO(mul, x * y) TWO(div, x / y) TWO(pow, std::pow(x, y))
      TWO(maximum, std::fmax(x, y)) TWO(minimum, std::fmin(x, y))
      TWO(eq, x == y) TWO(ne, x != y) TWO(lt, x < y) TWO(le, x <= y) TWO(gt, x > y) TWO(ge, x >= y)
      ONE(neg, -x) ONE(abs, std::fabs(x)) ONE(sign, (x > 0) - (x < 0))
      ONE(exp, std::exp(x)) ONE(exp2, std::exp2(x)) ONE(expm1, std::expm1(x))
      ONE(log, std::log(x)) ONE(log1p, std::log1p(x))
      ONE(sqrt, std::sqrt(x)) ONE(rsqrt, 1 / std::sqrt(x))
      ONE(sin, std::sin(x)) ONE(cos, std::cos(x)) ONE(tanh, std::tanh(x))
      ONE(erf, std::erf(x)) ONE(erfc, std::erfc(x))
      ONE(sigmoid, sigmoid(x)) ONE(softplus, softplus(x)) ONE(relu, x > 0 ? x : 0)
      ONE(gelu, x * 0.5 * std::erfc(-x * M_SQRT1_2)) ONE(gelu_tanh, gelu_tanh(x))
      ONE(silu, x * sigmoid(x))
      THREE(where, x != 0 ? y : z)
    // clang-format on
});

#undef ONE
#undef TWO
#undef THREE

}  // namespace
}  // namespace gyre::conformance
