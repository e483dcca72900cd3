#include <cmath>
#include <limits>

#include "tests/conformance/definitions.h"

namespace gyre::conformance {
namespace {

double gelu_tanh(double x) {
  double u = std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x);
  return x / (1 + std::exp(-2 * u));
}
double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x))); }
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

double logaddexp(double x, double y) {
  return std::fmax(x, y) + std::log1p(std::exp(-std::fabs(x - y)));
}
double remainder(double x, double y) {
  double r = std::fmod(x, y);
  return r != 0 && (r < 0) != (y < 0) ? r + y : r;
}
int64_t bits(double x) { return static_cast<int64_t>(x); }
double wrapped(int64_t x) { return static_cast<double>(x); }

Definition each(Scalar f) {
  return [f](const Call&, const std::vector<Dense>& in) {
    return std::vector<Values>{elementwise(f, in)};
  };
}

// For integers all bits, for booleans the only one.
std::vector<Values> all_bits_turned(const Call& call, const std::vector<Dense>& in) {
  bool one_bit = call.in[0].dtype() == DType::boolean;
  Values r;
  for (double x : in[0].v) r.push_back(one_bit ? x == 0 : -1 - x);
  return {r};
}

std::vector<Values> is_close(const Call& call, const std::vector<Dense>& in) {
  const double rtol = attribute(call, "rtol", 1e-5), atol = attribute(call, "atol", 1e-8);
  const bool equal_nan = attribute(call, "equal_nan", false);
  Values r;
  each_place(broadcast_space(in), [&](const int64_t* at) {
    const double x = at_place(in[0], broadcast_space(in), at);
    const double y = at_place(in[1], broadcast_space(in), at);
    const bool both_nan = std::isnan(x) && std::isnan(y);
    const bool near = std::isfinite(y) && std::fabs(x - y) <= atol + rtol * std::fabs(y);
    r.push_back(x == y || near || (equal_nan && both_nan));
  });
  return {r};
}

std::vector<Values> nan_to_num(const Call& call, const std::vector<Dense>& in) {
  const double most = std::numeric_limits<double>::max();
  const double high = attribute(call, "posinf", most), low = attribute(call, "neginf", -most);
  Values r = in[0].v;
  for (double& x : r) {
    if (std::isnan(x)) x = attribute(call, "nan", 0.0);
    if (std::isinf(x)) x = x > 0 ? high : low;
  }
  return {r};
}

double inverse_erf(double x) {
  if (std::fabs(x) >= 1) return x == 1 ? HUGE_VAL : x == -1 ? -HUGE_VAL : std::nan("");
  double low = -6, high = 6;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (std::erf(static_cast<long double>(middle)) < x ? low : high) = middle;
  }
  return low;
}

// The sum of 1 / (x + k) over k < n against log(n), which ends where its rest has two terms.
double digamma(double x) {
  long double sum = 0;
  const long double end = x + 5000.0L;
  for (int k = 4999; k >= 0; --k) sum += 1 / (static_cast<long double>(x) + k);
  return static_cast<double>(std::log(end) - 1 / (2 * end) - 1 / (12 * end * end) - sum);
}

double zeta(double s, double q) {
  if (s < 1) return std::nan("");
  long double sum = 0;
  const long double end = q + 2000.0L, exponent = s;
  for (int k = 1999; k >= 0; --k) sum += std::pow(static_cast<long double>(q) + k, -exponent);
  const long double last = std::pow(end, -exponent);
  return static_cast<double>(sum + last * (end / (exponent - 1) + 0.5L + exponent / (12 * end)));
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
      ONE(erfinv, inverse_erf(x)) ONE(lgamma, std::lgamma(x)) ONE(digamma, digamma(x))
      TWO(zeta, zeta(x, y))
      ONE(sigmoid, sigmoid(x)) ONE(softplus, softplus(x)) ONE(relu, x > 0 ? x : 0)
      ONE(relu_squared, x > 0 ? x * x : 0)
      ONE(gelu, x * 0.5 * std::erfc(-x * M_SQRT1_2)) ONE(gelu_tanh, gelu_tanh(x))
      ONE(silu, x * sigmoid(x))
      TWO(atan2, std::atan2(x, y)) TWO(logaddexp, logaddexp(x, y))
      TWO(fmod, std::fmod(x, y)) TWO(remainder, remainder(x, y))
      TWO(floor_divide, std::floor(x / y))
      TWO(logical_and, x != 0 && y != 0) TWO(logical_or, x != 0 || y != 0)
      TWO(logical_xor, (x != 0) != (y != 0)) ONE(logical_not, x == 0)
      ONE(isnan, std::isnan(x)) ONE(isinf, std::isinf(x)) ONE(isfinite, std::isfinite(x))
      TWO(bitwise_and, bits(x) & bits(y)) TWO(bitwise_or, bits(x) | bits(y))
      TWO(bitwise_xor, bits(x) ^ bits(y)) {"bitwise_not", all_bits_turned},
      TWO(shift_left, y < 0 || y > 63 ? 0 : wrapped(bits(x) << bits(y)))
      TWO(shift_right, std::floor(x * std::exp2(y < 0 || y > 63 ? -64 : -y)))
      ONE(floor, std::floor(x)) ONE(ceil, std::ceil(x)) ONE(round, std::nearbyint(x))
      ONE(trunc, std::trunc(x)) ONE(square, x * x) ONE(reciprocal, 1 / x) ONE(log2, std::log2(x))
      ONE(tan, std::tan(x)) ONE(asin, std::asin(x)) ONE(acos, std::acos(x)) ONE(atan, std::atan(x))
      ONE(sinh, std::sinh(x)) ONE(cosh, std::cosh(x)) ONE(asinh, std::asinh(x))
      ONE(acosh, std::acosh(x)) ONE(atanh, std::atanh(x))
      TWO(leaky_relu, x > 0 ? x : y * x) TWO(elu, x > 0 ? x : y * std::expm1(x))
      TWO(add_relu, std::fmax(x + y, 0)) TWO(mul_relu, std::fmax(x * y, 0))
      THREE(clamp, std::fmin(std::fmax(x, y), z)) THREE(lerp, x * (1 - z) + y * z)
      THREE(affine, x * y + z)
      THREE(where, x != 0 ? y : z)
      {"isclose", is_close}, {"nan_to_num", nan_to_num},
    // clang-format on
});

#undef ONE
#undef TWO
#undef THREE

}  // namespace
}  // namespace gyre::conformance
