#include "gyre/hyperbolic/tangent_maps.h"

#include "gyre/hyperbolic/ball/ball.h"
#include "gyre/hyperbolic/define_curved.h"
#include "gyre/hyperbolic/klein/klein.h"
#include "gyre/hyperbolic/lorentz/lorentz.h"
#include "gyre/ops/linalg/matmul.h"

namespace gyre {

#define GYRE_OPS "gyre/hyperbolic/tangent_maps.def"
#include "gyre/kernel/declare_ops.def"

namespace {

constexpr Arg kMatvec[] = {{"m"}, {"x"}, {"c"}};

using Function = Tensor (*)(const Tensor&);
using Chart = Tensor (*)(const Tensor&, const Tensor&, const AxisAttrs&);

constexpr Function kFunctions[] = {
#define GYRE_FUNCTION(f) static_cast<Function>(f),
    GYRE_TANGENT_FUNCTIONS(GYRE_FUNCTION)
#undef GYRE_FUNCTION
};

template <Chart exp0, Chart log0, Curvature allowed>
Tensors product(const OpDef& op, const void*, Inputs in) {
  const Tensor &m = in[0], &x = in[1], &c = in[2];
  check_curvature(op, c, allowed);
  if (m.rank() != 2) refuse(Code::shape, op, {"m has shape ", m.shape()}, "[m, d]", m.shape());
  Tensor v = linear(log0(to(x, DType::f64), c, {}), to(m, DType::f64));
  return {to(exp0(v, c, {}), result_dtype(in.first(2)))};
}

template <Chart exp0, Chart log0>
Tensor mapped(Inputs in, const TangentAttrs& a) {
  Tensor v = log0(to(in[0], DType::f64), in[1], {a.axis});
  return to(exp0(tangent_function(a.f, v), in[1], {a.axis}), result_dtype(in.first(1)));
}

template <Curvature allowed>
void product_samples(Samples& s) {
  auto points = [&](const Shape& shape) { return s.uniform(shape, -0.4, 0.4); };
  s.add({s.uniform({4, 3}), points({5, 3}), s.uniform({}, 0.5, 1)});
  s.add({s.uniform({2, 4}), points({2, 3, 4}), s.uniform({2, 3}, 0.5, 1)});
  s.add({s.uniform({3, 3}), points({3}), s.uniform({}, 0.5, 1)});
  s.add({s.uniform({1, 40}), 0.2 * points({3, 40}), s.uniform({3}, 0.01, 1)});
  if (allowed == Curvature::any) {
    s.add({s.uniform({4, 3}), points({5, 3}), s.uniform({5}, -1e-3, 1e-3)});
  }
  s.extreme({s.uniform({4, 3}), 0.0 * points({2, 3}), s.uniform({}, 0.5, 1)});
  s.refuse(Code::shape, {s.uniform({4, 3}), points({5, 4}), s.uniform({}, 0.5, 1)});
  s.refuse(Code::shape, {s.uniform({2, 4, 3}), points({5, 3}), s.uniform({}, 0.5, 1)});
  s.refuse(Code::shape, {s.uniform({4, 3}), points({5, 3}), s.uniform({4}, 0.5, 1)});
}

template <Chart exp0, Chart log0, Curvature allowed>
constexpr OpDef matvec_op(const char* name) {
  return {.name = name,
          .doc = "Möbius matrix-vector multiplication exp0(m log0(x))",
          .args = kMatvec,
          .compose = product<exp0, log0, allowed>,
          .samples = product_samples<allowed>};
}

template <Curvature allowed>
void mapped_samples(Samples& s) {
  curved_samples<TangentAttrs, allowed, kPoint>(s);
  for (size_t i = 0; i < std::size(kFunctions); ++i) {
    s.add(curved_operands(s, kPoint.kinds, {4, 3}, 1, s.uniform({}, 0.5, 1)),
          box(TangentAttrs{-1, static_cast<TangentFunction>(i)}));
  }
}

template <Chart exp0, Chart log0, Curvature allowed>
constexpr OpDef pointwise_op(const char* name) {
  OpDef d = compose_rows<mapped<exp0, log0>, TangentAttrs, allowed, kPoint>(
      name, "f applied to each coordinate in the tangent space at the origin: exp0(f(log0(x)))");
  d.samples = mapped_samples<allowed>;
  return d;
}

}  // namespace

Tensor tangent_function(TangentFunction f, const Tensor& x) {
  return kFunctions[static_cast<size_t>(f)](x);
}

#define GYRE_TANGENT_MAP_OPS(model, allowed)                                  \
  constinit const OpDef model##_matvec_def =                                  \
      matvec_op<model##_exp0, model##_log0, allowed>(#model "_matvec");       \
  constinit const OpDef model##_pointwise_def =                               \
      pointwise_op<model##_exp0, model##_log0, allowed>(#model "_pointwise"); \
  GYRE_FUNCTION_2(model##_pointwise, TangentAttrs)                            \
  Tensor model##_matvec(const Tensor& m, const Tensor& x, const Tensor& c) {  \
    return apply_one(model##_matvec_def, {m, x, c});                          \
  }
GYRE_TANGENT_MAP_OPS(poincare, Curvature::any)
GYRE_TANGENT_MAP_OPS(lorentz, Curvature::positive)
GYRE_TANGENT_MAP_OPS(klein, Curvature::positive)
#undef GYRE_TANGENT_MAP_OPS

}  // namespace gyre
