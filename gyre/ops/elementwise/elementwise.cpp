#include "gyre/ops/elementwise/elementwise.h"

#include "gyre/op/apply.h"
#include "gyre/ops/define_pointwise.h"
#include "gyre/ops/elementwise/bodies.h"

namespace gyre {

#define POINTWISE(name, Body)              \
  GYRE_DECLARE_TILES(PointwiseTiles, name) \
  extern const OpDef name##_def;
#include "gyre/ops/elementwise/elementwise.def"
#undef POINTWISE

namespace {

// Linear ops hand the cotangent on; backward sums it to the operand's shape.
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
Tensors neg_vjp(const VjpArgs& a) { return {neg(a.grad[0])}; }

// One operand of a product needs only the other: the tile would also write the unwanted one's.
Tensors mul_vjp(const VjpArgs& a) {
  Tensors g(2);
  if (a.wanted[0]) g[0] = a.grad[0] * a.in[1];
  if (a.wanted[1]) g[1] = a.grad[0] * a.in[0];
  return g;
}

constexpr void linear(OpDef& d, Vjp vjp) {
  d.vjp = vjp;
  d.vjp_first = nullptr;
  d.saves_in = 0;
}

void sqrt_samples(Samples& s) {
  pointwise_samples<Sqrt>(s);
  s.extreme({s.values({1e-30, 1e30, 4})});
}

}  // namespace

GYRE_DEFINE_BINARY(add, Add, "x + y", linear(d, add_vjp))
GYRE_DEFINE_BINARY(sub, Sub, "x - y", linear(d, sub_vjp))
GYRE_DEFINE_BINARY(mul, Mul, "x * y", d.vjp = mul_vjp, d.vjp_first = nullptr)
GYRE_DEFINE_BINARY(div, Div, "x / y")
GYRE_DEFINE_BINARY(pow, Pow, "x to the power y")
GYRE_DEFINE_BINARY(maximum, Maximum, "the larger of x and y; NaN wins")
GYRE_DEFINE_BINARY(minimum, Minimum, "the smaller of x and y; NaN wins")
GYRE_DEFINE_BINARY(eq, Eq, "x == y")
GYRE_DEFINE_BINARY(ne, Ne, "x != y")
GYRE_DEFINE_BINARY(lt, Lt, "x < y")
GYRE_DEFINE_BINARY(le, Le, "x <= y")
GYRE_DEFINE_BINARY(gt, Gt, "x > y")
GYRE_DEFINE_BINARY(ge, Ge, "x >= y")

constinit const OpDef where_def = define_pointwise<Where>(
    "where", "x where condition is not zero, else y", kWhereArgs, GYRE_TILES_OF(where));
Tensor where(const Tensor& condition, const Tensor& x, const Tensor& y) {
  return apply_one(where_def, {condition, x, y});
}

GYRE_DEFINE_UNARY(neg, Neg, "-x", linear(d, neg_vjp))
GYRE_DEFINE_UNARY(abs, Abs, "absolute value")
GYRE_DEFINE_UNARY(sign, Sign, "-1, 0 or 1", d.is_discrete = true, d.vjp = nullptr,
                  d.vjp_first = nullptr)
GYRE_DEFINE_UNARY(exp, Exp, "e^x")
GYRE_DEFINE_UNARY(exp2, Exp2, "2^x")
GYRE_DEFINE_UNARY(expm1, Expm1, "e^x - 1")
GYRE_DEFINE_UNARY(log, Log, "natural logarithm")
GYRE_DEFINE_UNARY(log1p, Log1p, "natural logarithm of 1 + x")
GYRE_DEFINE_UNARY(sqrt, Sqrt, "square root", d.samples = sqrt_samples)
GYRE_DEFINE_UNARY(rsqrt, Rsqrt, "1 / sqrt(x)")
GYRE_DEFINE_UNARY(sin, Sin, "sine of x in radians")
GYRE_DEFINE_UNARY(cos, Cos, "cosine of x in radians")
GYRE_DEFINE_UNARY(tanh, Tanh, "hyperbolic tangent")
GYRE_DEFINE_UNARY(erf, Erf, "error function")
GYRE_DEFINE_UNARY(erfc, Erfc, "1 - erf(x)")
GYRE_DEFINE_UNARY(sigmoid, Sigmoid, "1 / (1 + e^-x)")
GYRE_DEFINE_UNARY(softplus, Softplus, "log(1 + e^x)")
GYRE_DEFINE_UNARY(relu, Relu, "max(x, 0)")
GYRE_DEFINE_UNARY(gelu, Gelu, "x Phi(x), Phi the normal distribution function")
GYRE_DEFINE_UNARY(gelu_tanh, GeluTanh, "gelu in its tanh approximation")
GYRE_DEFINE_UNARY(silu, Silu, "x sigmoid(x)")

}  // namespace gyre
