#include "gyre/ops/elementwise/elementwise.h"

#include <algorithm>
#include <cmath>

#include "gyre/kernel/strided.h"
#include "gyre/op/apply.h"
#include "gyre/op/op_def.h"
#include "gyre/ops/define_pointwise.h"
#include "gyre/ops/elementwise/bodies.h"

namespace gyre {

#define GYRE_OPS "gyre/ops/elementwise/elementwise.def"
#include "gyre/kernel/declare_ops.def"

namespace {

// Linear ops pass the gradient on; backward sums it to the operand's shape.
Tensors add_vjp(const VjpArgs& a) {
  Tensors g(2);
  if (a.wanted[0]) g[0] = a.grad[0];
  if (a.wanted[1]) g[1] = a.grad[0];
  return g;
}
Tensors sub_vjp(const VjpArgs& a) {
  Tensors g(2);
  if (a.wanted[0]) g[0] = a.grad[0];
  if (a.wanted[1]) g[1] = neg(a.grad[0]);
  return g;
}
// Booleans have no differences, as in NumPy and PyTorch.
void infer_difference(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  pointwise_infer(op, attrs, in, out);
  if (out[0].dtype != DType::boolean) return;
  refuse(Code::dtype, op,
         "expected numbers, got booleans; to invert a mask use ~x, to compare x ^ y", "numbers",
         DType::boolean);
}
Tensors neg_vjp(const VjpArgs& a) { return {neg(a.grad[0])}; }

// The gradient of one operand needs only the other; the tile would also write the unwanted one.
Tensors mul_vjp(const VjpArgs& a) {
  Tensors g(2);
  if (a.wanted[0]) g[0] = a.grad[0] * a.in[1];
  if (a.wanted[1]) g[1] = a.grad[0] * a.in[0];
  return g;
}

// relu(relu(x)) = relu(x), so the derivative can be taken from the output, and relu_ overwrites
// nothing that backward needs.
VjpArgs at_result(VjpArgs a) {
  a.in = a.out;
  return a;
}
Tensors relu_vjp(const VjpArgs& a) { return pointwise_vjp<Relu>(at_result(a)); }
Tensors relu_vjp_first(const VjpArgs& a) { return pointwise_vjp_first(at_result(a)); }

constexpr void at_its_result(OpDef& d, Vjp vjp, Vjp vjp_first) {
  d.vjp = vjp;
  d.vjp_first = vjp_first;
  d.saves_in = 0;
  d.saves_out = 1;
}

constexpr void linear(OpDef& d, Vjp vjp) {
  d.vjp = vjp;
  d.vjp_first = nullptr;
  d.saves_in = 0;
}

constexpr Arg kAtan2Args[] = {{"y"}, {"x"}},
              kZetaArgs[] = {{.name = "s", .differentiable = false}, {"q"}},
              kSlopeArgs[] = {{"x"}, {.name = "slope", .optional = true, .otherwise = 0.01}},
              kAlphaArgs[] = {{"x"}, {.name = "alpha", .optional = true, .otherwise = 1}},
              kClampArgs[] = {{"x"}, {"min"}, {"max"}}, kLerpArgs[] = {{"x"}, {"y"}, {"weight"}},
              kAffineArgs[] = {{"x"}, {"scale"}, {"bias"}};

constexpr void discrete(OpDef& d) {
  d.is_discrete = true;
  d.vjp = d.vjp_first = nullptr;
  d.saves_in = 0;
}

void sqrt_samples(Samples& s) {
  pointwise_samples<Sqrt>(s);
  s.extreme({s.values({1e-30, 1e30, 4})});
}

void clamp_samples(Samples& s) {
  pointwise_samples<Clamp>(s);
  s.extreme({s.values({-2, -1, 0, 1, 2, INFINITY}), s.values({-1}), s.values({1})});
  s.extreme({s.values({0, 3}), s.values({2, -INFINITY}), s.values({1, INFINITY})});
}

template <class Body>
void rounding_samples(Samples& s) {
  pointwise_samples<Body>(s);
  s.extreme({s.values({-2.5, -1.5, -0.5, -0.0, 0.5, 1.5, 2.5, 1e30, INFINITY, -INFINITY})});
}

// At and around the kink at 0.
template <class Body>
void kink_samples(Samples& s) {
  pointwise_samples<Body>(s);
  s.extreme({s.values({-1e4, -1e-30, 0, -0.0, 1e-30, 1e4}), s.values({0.25})});
}

void logaddexp_samples(Samples& s) {
  pointwise_samples<Logaddexp>(s);
  s.extreme({s.values({1e4, -1e4, 3, 1e4, -1e4}), s.values({1e4, -1e4, 3, -1e4, 0})});
}

// All pairs of truth values, and special values of floats.
template <class Body>
void truth_samples(Samples& s) {
  pointwise_samples<Body>(s);
  Tensor x = s.values({0, 0, 2, -3, -0.0, NAN, INFINITY, -INFINITY, 1e-30}),
         y = s.values({0, 1, 0, 5, NAN, 0, -0.0, NAN, INFINITY});
  if constexpr (Body::spec.arity == 1) {
    s.extreme({x});
  } else {
    s.extreme({x, y});
  }
}

template <class Body>
void bits_samples(Samples& s) {
  s.add({s.integers({3, 5}, -100, 100), s.integers({3, 5}, 0, 40)});
  s.add({s.integers({2, 1, 4}, -9, 9), s.integers({3, 1}, -2, 70)});
  s.add({s.integers({}, 0, 9), s.integers({7}, 0, 9)});
  s.add({s.integers({0, 3}, 0, 9), s.integers({3}, 0, 9)});
  s.refuse(Code::dtype, {s.uniform({2}), s.integers({2}, 0, 9)});
  s.refuse(Code::shape, {s.integers({2}, 0, 9), s.integers({3}, 0, 9)});
}

// Quotients of either sign, integers among them.
template <class Body>
void division_samples(Samples& s) {
  pointwise_samples<Body>(s);
  s.add({s.uniform({4, 3}, -20, 20), s.uniform({3}, 1, 2)});
  s.add({s.uniform({4, 3}, -20, 20), s.uniform({4, 3}, -2, -1)});
  s.extreme({s.values({6, -6, 7.5, -7.5, 1e30, -1e-30, 0}), s.values({3, 3, -2.5, 2, 7, 5, -1})});
  s.refuse(Code::value, {s.integers({3}, 1, 9), s.integers({3}, 0, 1)});
}

// Integers cannot represent a division by zero: fails with the first place of one. The plan is the
// loop over the divisor.
Status run_check_divisor(const StridedLoop& divisor) noexcept {
  Reader reader(divisor, 0, Compute::i64);
  alignas(64) int64_t buffer[kTile];
  for (int64_t i = 0, size = divisor.size(); i < size; i += kTile) {
    int64_t n = std::min<int64_t>(kTile, size - i);
    const auto* values = static_cast<const int64_t*>(reader.read(i, n, buffer));
    const auto* zero = std::find(values, values + n, 0);
    if (zero != values + n) {
      return {true, Code::value, i + (zero - values), 0, "an integer divided by zero"};
    }
  }
  return {};
}

// Integers cannot represent the power with a negative exponent.
Status run_check_exponent(const StridedLoop& exponent) noexcept {
  Reader reader(exponent, 0, Compute::i64);
  alignas(64) int64_t buffer[kTile];
  for (int64_t i = 0, size = exponent.size(); i < size; i += kTile) {
    int64_t n = std::min<int64_t>(kTile, size - i);
    const auto* values = static_cast<const int64_t*>(reader.read(i, n, buffer));
    const auto* negative = std::find_if(values, values + n, [](int64_t y) { return y < 0; });
    if (negative != values + n) {
      return {true, Code::value, i + (negative - values), *negative,
              "an integer to a negative power; convert it to a float"};
    }
  }
  return {};
}

constexpr OpDef kCheckDivisor{.name = "check_divisor"};
constexpr OpDef kCheckExponent{.name = "check_exponent"};

Status division_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  if (!is_floating(args.out[0].dtype)) {
    const StridedLoop plan(args.in[1]);
    if (Status s = launch<run_check_divisor>(kCheckDivisor, args, plan); s.failed) return s;
  }
  return pointwise_kernel(op, args);
}

Status power_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  if (!is_floating(args.out[0].dtype)) {
    const StridedLoop plan(args.in[1]);
    if (Status s = launch<run_check_exponent>(kCheckExponent, args, plan); s.failed) return s;
  }
  return pointwise_kernel(op, args);
}

void power_samples(Samples& s) {
  pointwise_samples<Pow>(s);
  s.refuse(Code::value, {s.integers({3}, 1, 9), s.integers({3}, -2, 0)});
}

constexpr void division(OpDef& d, void (*samples)(Samples&)) {
  d.kernels = on_every_device(division_kernel);
  d.samples = samples;
}

}  // namespace

GYRE_DEFINE_BINARY(add, Add, "x + y", d.symbol = "+", linear(d, add_vjp))
GYRE_DEFINE_BINARY(sub, Sub, "x - y", d.symbol = "-", d.infer = infer_difference,
                   linear(d, sub_vjp))
GYRE_DEFINE_BINARY(mul, Mul, "x * y", d.symbol = "*", d.vjp = mul_vjp, d.vjp_first = nullptr,
                   d.saves_for_others = 3)
GYRE_DEFINE_BINARY(div, Div, "x / y", d.symbol = "/", d.saves_for_others = 1)
GYRE_DEFINE_BINARY(pow, Pow, "power: x ** y", d.symbol = "**",
                   d.kernels = on_every_device(power_kernel), d.samples = power_samples)
GYRE_DEFINE_BINARY(maximum, Maximum, "elementwise maximum; propagates NaN")
GYRE_DEFINE_BINARY(minimum, Minimum, "elementwise minimum; propagates NaN")
GYRE_DEFINE_BINARY(atan2, Atan2, "angle of the point (x, y) in radians, in [-pi, pi]",
                   d.args = kAtan2Args)
GYRE_DEFINE_BINARY(logaddexp, Logaddexp, "log(e^x + e^y)", d.by_element = false,
                   d.samples = logaddexp_samples)
GYRE_DEFINE_BINARY(fmod, Fmod, "remainder of truncated division, with the sign of x (C fmod)",
                   division(d, division_samples<Fmod>))
GYRE_DEFINE_BINARY(remainder, Remainder,
                   "remainder of floor division, with the sign of y (Python %)", d.symbol = "%",
                   division(d, division_samples<Remainder>))
GYRE_DEFINE_BINARY(floor_divide, FloorDivide, "floor division: floor(x / y)", d.symbol = "//",
                   discrete(d), division(d, division_samples<FloorDivide>))
GYRE_DEFINE_BINARY(eq, Eq, "x == y", d.symbol = "==")
GYRE_DEFINE_BINARY(ne, Ne, "x != y", d.symbol = "!=")
GYRE_DEFINE_BINARY(lt, Lt, "x < y", d.symbol = "<")
GYRE_DEFINE_BINARY(le, Le, "x <= y", d.symbol = "<=")
GYRE_DEFINE_BINARY(gt, Gt, "x > y", d.symbol = ">")
GYRE_DEFINE_BINARY(ge, Ge, "x >= y", d.symbol = ">=")
GYRE_DEFINE_BINARY(logical_and, LogicalAnd, "logical AND", d.samples = truth_samples<LogicalAnd>)
GYRE_DEFINE_BINARY(logical_or, LogicalOr, "logical OR", d.samples = truth_samples<LogicalOr>)
GYRE_DEFINE_BINARY(logical_xor, LogicalXor, "logical XOR", d.samples = truth_samples<LogicalXor>)
GYRE_DEFINE_UNARY(logical_not, LogicalNot, "logical NOT", d.samples = truth_samples<LogicalNot>)
GYRE_DEFINE_UNARY(isnan, IsNan, "true where x is NaN", d.samples = truth_samples<IsNan>)
GYRE_DEFINE_UNARY(isinf, IsInf, "true where x is infinite", d.samples = truth_samples<IsInf>)
GYRE_DEFINE_UNARY(isfinite, IsFinite, "true where x is finite", d.samples = truth_samples<IsFinite>)
GYRE_DEFINE_BINARY(bitwise_and, BitwiseAnd, "bitwise AND", d.symbol = "&",
                   d.samples = bits_samples<BitwiseAnd>)
GYRE_DEFINE_BINARY(bitwise_or, BitwiseOr, "bitwise OR", d.symbol = "|",
                   d.samples = bits_samples<BitwiseOr>)
GYRE_DEFINE_BINARY(bitwise_xor, BitwiseXor, "bitwise XOR", d.symbol = "^",
                   d.samples = bits_samples<BitwiseXor>)
GYRE_DEFINE_BINARY(shift_left, ShiftLeft, "left shift of integers: x 2^y", d.symbol = "<<",
                   d.samples = bits_samples<ShiftLeft>)
GYRE_DEFINE_BINARY(shift_right, ShiftRight, "right shift of integers: floor(x / 2^y)",
                   d.symbol = ">>", d.samples = bits_samples<ShiftRight>)

namespace {

Tensors bitwise_not_compose(const OpDef& op, const void*, Inputs in) {
  const Tensor& x = in[0];
  if (is_floating(x.dtype())) {
    throw mismatch(Code::dtype, op.name, "expected integers", "integers", x.dtype());
  }
  if (x.dtype() == DType::boolean) return Tensors{logical_not(x)};
  // all bits as a value of the dtype: unsigned ones have no -1
  const uint64_t most = UINT64_MAX >> (64 - 8 * size_of(x.dtype()));
  return Tensors{bitwise_xor(x, is_unsigned(x.dtype()) ? Tensor(most) : Tensor(-1))};
}

void bitwise_not_samples(Samples& s) {
  s.add({s.integers({3, 5}, -100, 100)});
  s.add({s.integers({}, 0, 9)});
  s.add({s.integers({0, 3}, 0, 9)});
  s.add({s.mask({4})});
  s.refuse(Code::dtype, {s.uniform({2})});
}

}  // namespace

constinit const OpDef bitwise_not_def{.name = "bitwise_not",
                                      .doc = "bitwise NOT; logical NOT for boolean",
                                      .symbol = "~",
                                      .compose = bitwise_not_compose,
                                      .samples = bitwise_not_samples,
                                      .is_discrete = true};
Tensor bitwise_not(const Tensor& x) { return apply_one(bitwise_not_def, {x}); }

constinit const OpDef where_def = define_pointwise<Where>(
    "where", "select: x where condition is nonzero, else y", kWhereArgs, GYRE_TILES_OF(where));
Tensor where(const Tensor& condition, const Tensor& x, const Tensor& y) {
  return apply_one(where_def, {condition, x, y});
}

GYRE_DEFINE_TERNARY(clamp, Clamp, "clamp to [min, max]: minimum(maximum(x, min), max)", kClampArgs,
                    d.samples = clamp_samples)
GYRE_DEFINE_TERNARY(lerp, Lerp, "linear interpolation: x + weight (y - x)", kLerpArgs,
                    d.by_element = false, d.saves_for_others = 3)

GYRE_DEFINE_UNARY(neg, Neg, "-x", d.symbol = "-", d.infer = infer_difference, linear(d, neg_vjp))
GYRE_DEFINE_UNARY(abs, Abs, "absolute value", d.symbol = "||")
GYRE_DEFINE_UNARY(sign, Sign, "sign of x: -1, 0 or 1", discrete(d))
GYRE_DEFINE_UNARY(floor, Floor, "floor: round down", discrete(d),
                  d.samples = rounding_samples<Floor>)
GYRE_DEFINE_UNARY(ceil, Ceil, "ceiling: round up", discrete(d), d.samples = rounding_samples<Ceil>)
GYRE_DEFINE_UNARY(round, Round, "round to the nearest integer, ties to even", discrete(d),
                  d.samples = rounding_samples<Round>)
GYRE_DEFINE_UNARY(trunc, Trunc, "truncate: round towards zero", discrete(d),
                  d.samples = rounding_samples<Trunc>)
GYRE_DEFINE_UNARY(square, Square, "square: x^2")
GYRE_DEFINE_UNARY(reciprocal, Reciprocal, "1 / x")
GYRE_DEFINE_UNARY(exp, Exp, "exponential: e^x")
GYRE_DEFINE_UNARY(exp2, Exp2, "2^x")
GYRE_DEFINE_UNARY(expm1, Expm1, "e^x - 1, accurate near 0")
GYRE_DEFINE_UNARY(log, Log, "natural logarithm")
GYRE_DEFINE_UNARY(log1p, Log1p, "log(1 + x), accurate near 0")
GYRE_DEFINE_UNARY(log2, Log2, "logarithm to base 2")
GYRE_DEFINE_UNARY(sqrt, Sqrt, "square root", d.samples = sqrt_samples)
GYRE_DEFINE_UNARY(rsqrt, Rsqrt, "reciprocal square root: 1 / sqrt(x)")
GYRE_DEFINE_UNARY(sin, Sin, "sine of x in radians")
GYRE_DEFINE_UNARY(cos, Cos, "cosine of x in radians")
GYRE_DEFINE_UNARY(tan, Tan, "tangent of x in radians")
GYRE_DEFINE_UNARY(asin, Asin, "arcsine in radians")
GYRE_DEFINE_UNARY(acos, Acos, "arccosine in radians")
GYRE_DEFINE_UNARY(atan, Atan, "arctangent in radians")
GYRE_DEFINE_UNARY(sinh, Sinh, "hyperbolic sine")
GYRE_DEFINE_UNARY(cosh, Cosh, "hyperbolic cosine")
GYRE_DEFINE_UNARY(tanh, Tanh, "hyperbolic tangent")
GYRE_DEFINE_UNARY(asinh, Asinh, "inverse hyperbolic sine")
GYRE_DEFINE_UNARY(acosh, Acosh, "inverse hyperbolic cosine")
GYRE_DEFINE_UNARY(atanh, Atanh, "inverse hyperbolic tangent")
GYRE_DEFINE_UNARY(erf, Erf, "error function")
GYRE_DEFINE_UNARY(erfc, Erfc, "complementary error function: 1 - erf(x)")
GYRE_DEFINE_UNARY(erfinv, Erfinv, "inverse error function: erf(erfinv(x)) = x, -1 < x < 1")
GYRE_DEFINE_UNARY(lgamma, Lgamma, "logarithm of the absolute value of the gamma function")
GYRE_DEFINE_UNARY(digamma, Digamma, "derivative of lgamma")
GYRE_DEFINE_BINARY(zeta, Zeta, "Hurwitz zeta function: the sum of (q + k)^-s over k = 0, 1, ...",
                   d.args = kZetaArgs)
GYRE_DEFINE_UNARY(sigmoid, Sigmoid, "logistic sigmoid: 1 / (1 + e^-x)")
GYRE_DEFINE_UNARY(softplus, Softplus, "log(1 + e^x)")
GYRE_DEFINE_UNARY(relu, Relu, "rectified linear unit: max(x, 0)",
                  at_its_result(d, relu_vjp, relu_vjp_first))
GYRE_DEFINE_UNARY(relu_squared, ReluSquared, "squared ReLU: max(x, 0)^2")
GYRE_DEFINE_UNARY(gelu, Gelu, "Gaussian error linear unit: x Phi(x), Phi = standard normal CDF")
GYRE_DEFINE_UNARY(gelu_tanh, GeluTanh, "tanh approximation of gelu")
GYRE_DEFINE_UNARY(silu, Silu, "SiLU (swish): x sigmoid(x)")
GYRE_DEFINE_BINARY(leaky_relu, LeakyRelu, "leaky ReLU: x if x > 0, else slope * x",
                   d.args = kSlopeArgs, d.samples = kink_samples<LeakyRelu>)
GYRE_DEFINE_BINARY(elu, Elu, "exponential linear unit: x if x > 0, else alpha (e^x - 1)",
                   d.args = kAlphaArgs, d.samples = kink_samples<Elu>)

Tensor leaky_relu(const Tensor& x) { return apply_one(leaky_relu_def, {x}); }
Tensor elu(const Tensor& x) { return apply_one(elu_def, {x}); }

GYRE_DEFINE_BINARY(add_relu, AddRelu, "fused relu(x + y)")
GYRE_DEFINE_BINARY(mul_relu, MulRelu, "fused relu(x y)")
GYRE_DEFINE_TERNARY(affine, Affine, "fused x * scale + bias", kAffineArgs, d.by_element = false,
                    d.saves_for_others = 7)

}  // namespace gyre
