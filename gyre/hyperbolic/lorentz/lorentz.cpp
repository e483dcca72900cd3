#include "gyre/hyperbolic/lorentz/lorentz.h"

#include "gyre/hyperbolic/define_curved.h"
#include "gyre/hyperbolic/lorentz/lorentz_bodies.h"

namespace gyre {

#define GYRE_OPS "gyre/hyperbolic/lorentz/lorentz.def"
#include "gyre/kernel/declare_ops.def"

namespace {

constexpr Operands<4> kDistCotangent{{{"x"}, {"y"}, {"g"}, {"c"}},
                                     {point, point, number, curvature}};
constexpr const char* kDistGradients[] = {"x", "y", "c"};

// c with the axis inserted, so that it broadcasts to x.
Tensor beside_rows(const Tensor& c, const Tensor& x, const AxisAttrs& a, const char* op) {
  if (c.rank() == 0) return c;
  int behind = x.rank() - 1 - normalize_axis(a.axis, x.rank(), op);
  return unsqueeze(c, c.rank() < behind ? 0 : c.rank() - behind);
}

Tensor with_time(Inputs in, const AxisAttrs& a) {
  const Tensor& x = in[0];
  const char* name = lorentz_with_time_def.name;
  if (x.rank() == 0) refuse(Code::shape, lorentz_with_time_def, "x is 0-d", "[..., d]", "[]");
  int axis = normalize_axis(a.axis, x.rank(), name);
  DType d = result_dtype(in.first(1));
  Tensor wide = to(x, DType::f64), c = to(beside_rows(in[1], x, a, name), DType::f64);
  Tensor time = sqrt(1.0 / c + sum(wide * wide, {{axis}, true}));
  return cat({to(time, d), to(x, d)}, axis);
}
Tensors without_time(const OpDef& op, const void* attrs, Inputs in) {
  const Tensor& x = in[0];
  if (x.rank() == 0) refuse(Code::shape, op, "x is 0-d", "[..., d + 1]", "[]");
  int axis = normalize_axis(attrs_as<AxisAttrs>(attrs).axis, x.rank(), op.name);
  return {slice(x, {axis, 1})};
}

// Drops the kept axis of the cotangent, if any: the kernel takes one number per row.
Tensors dist_gradients(const VjpArgs& a) {
  const auto& attrs = attrs_as<AxisKeepAttrs>(a.attrs);
  Tensor g = a.grad[0];
  if (attrs.keepdim && g.rank()) g = squeeze(g, {normalize_axis(attrs.axis, g.rank(), a.op.name)});
  Tensor in[] = {a.in[0], a.in[1], g, a.in[2]};
  return apply(lorentz_dist_backward_def, in, box(AxisAttrs{attrs.axis}));
}

void without_time_samples(Samples& s) {
  s.add({s.uniform({3, 5})});
  s.add({s.uniform({4, 3, 2})}, box(AxisAttrs{0}));
  s.add({s.uniform({2, 1})}, box(AxisAttrs{1}));
  s.refuse(Code::shape, {s.uniform({})});
  s.refuse(Code::index, {s.uniform({2, 3})}, box(AxisAttrs{2}));
}

}  // namespace

GYRE_CURVED_ROWS(3, lorentz_add, LorentzAdd, positive,
                 "gyrovector addition x ⊕ y: the boost from the origin to x, applied to y",
                 kTwoPoints)
GYRE_CURVED_SCALAR(lorentz, LorentzScalar, positive,
                   "scalar multiplication r ⊗ x = exp0(r log0(x))")
GYRE_CURVED_ROWS(3, lorentz_exp, LorentzExp, positive, "exponential map of v at x",
                 kPointAndTangent)
GYRE_CURVED_MODEL(lorentz, Lorentz, positive)
GYRE_CURVED_ROWS(2, lorentz_exp0, LorentzExp0, positive,
                 "exponential map of v at the origin: sinh(sqrt(c)|v|) v / (sqrt(c)|v|)", kTangent)
GYRE_CURVED_ROWS(2, lorentz_log0, LorentzLog0, positive,
                 "logarithmic map of x at the origin: arsinh(sqrt(c)|x|) x / (sqrt(c)|x|)", kPoint)
GYRE_CURVED_ROWS(4, lorentz_transport, LorentzTransport, positive,
                 "parallel transport of v from x to y", kTwoPointsAndTangent)
GYRE_CURVED_ROWS(2, lorentz_to_poincare, LorentzToPoincare, positive,
                 "x mapped to the Poincaré ball (isometry)", kPoint)
GYRE_CURVED_ROWS(2, lorentz_to_klein, LorentzToKlein, positive,
                 "x mapped to the Klein ball (isometry)", kPoint)

constinit const OpDef lorentz_dist_def = [] {
  OpDef d = define_curved<LorentzDist, Curvature::positive, kTwoPoints>(
      "lorentz_dist", "geodesic distance between x and y", GYRE_TILES_OF(lorentz_dist));
  d.vjp_first = dist_gradients;
  return d;
}();
constinit const OpDef lorentz_dist_backward_def = [] {
  OpDef d = define_curved<LorentzDistBackward, Curvature::positive, kDistCotangent>(
      "lorentz_dist_backward",
      "gradients of lorentz_dist: cotangents of its operands from that of its result",
      GYRE_TILES_OF(lorentz_dist_backward));
  d.outputs = kDistGradients;
  return d;
}();
GYRE_CURVED_PARTS(3, lorentz_sub, subtracted<lorentz_add>, positive,
                  "gyrovector subtraction x ⊕ (-y)", kTwoPoints)
GYRE_CURVED_PARTS(4, lorentz_gyration, turned<lorentz_to_poincare>, positive,
                  "gyration gyr[x, y] v = -(x ⊕ y) ⊕ (x ⊕ (y ⊕ v))", kTwoPointsAndTangent)
GYRE_CURVED_PARTS(2, lorentz_with_time, with_time, positive,
                  "prepend the time coordinate: (sqrt(1 / c + |x|^2), x)", kPoint)
constinit const OpDef lorentz_without_time_def{
    .name = "lorentz_without_time",
    .doc = "remove the time coordinate: x of (time, x)",
    .attrs = &record_of<AxisAttrs>,
    .compose = without_time,
    .samples = without_time_samples,
};

GYRE_FUNCTION_3(lorentz_dist, AxisKeepAttrs)

GYRE_FUNCTION_1(lorentz_without_time, AxisAttrs)

}  // namespace gyre
