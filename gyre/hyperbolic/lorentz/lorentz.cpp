#include "gyre/hyperbolic/lorentz/lorentz.h"

#include "gyre/hyperbolic/ball/ball.h"
#include "gyre/hyperbolic/define_curved.h"
#include "gyre/hyperbolic/lorentz/lorentz_bodies.h"

namespace gyre {

#define OP(name) extern const OpDef name##_def;
#define ROWWISE(name, Body) GYRE_DECLARE_TILES(RowwiseTiles, name) OP(name)
#include "gyre/hyperbolic/lorentz/lorentz.def"
#undef ROWWISE
#undef OP

namespace {

constexpr Arg kDistCotangent[] = {{"x"}, {"y"}, {"g"}, {"c"}};
constexpr const char* kDistGradients[] = {"x", "y", "c"};

Tensor lorentz_subtracted(Inputs in, const AxisAttrs& a) {
  return lorentz_add(in[0], opposite(in[1]), in[2], a);
}
Tensor lorentz_scaled(Inputs in, const AxisAttrs& a) {
  return apply_one(lorentz_scalar_rows_def, {in[1], in[0], in[2]}, box(a));
}

// The boosts' rotation is that of the ball; in f64, as points lose digits on the way there.
Tensor lorentz_turned(Inputs in, const AxisAttrs& a) {
  const Tensor& c = in[3];
  auto there = [&](const Tensor& x) { return lorentz_to_poincare(to(x, DType::f64), c, a); };
  Tensor v = poincare_gyration(there(in[0]), there(in[1]), to(in[2], DType::f64), c, a);
  return to(v, result_dtype(in.first(3)));
}

// c with the axis at its place among the rows'.
Tensor beside_rows(const Tensor& c, const Tensor& x, const AxisAttrs& a, const char* op) {
  if (c.rank() == 0) return c;
  int behind = x.rank() - 1 - normalize_axis(a.axis, x.rank(), op);
  return unsqueeze(c, c.rank() < behind ? 0 : c.rank() - behind);
}

Tensor with_time(Inputs in, const AxisAttrs& a) {
  const Tensor& x = in[0];
  const char* name = lorentz_with_time_def.name;
  if (x.rank() == 0) refuse(Code::shape, lorentz_with_time_def, "x has no axis", "[..., d]", "[]");
  int axis = normalize_axis(a.axis, x.rank(), name);
  DType d = result_dtype(in.first(1));
  Tensor wide = to(x, DType::f64), c = to(beside_rows(in[1], x, a, name), DType::f64);
  Tensor time = sqrt(1.0 / c + sum(wide * wide, {{axis}, true}));
  return cat({to(time, d), to(x, d)}, axis);
}
Tensors without_time(const OpDef& op, const void* attrs, Inputs in) {
  const Tensor& x = in[0];
  if (x.rank() == 0) refuse(Code::shape, op, "x has no axis", "[..., d + 1]", "[]");
  int axis = normalize_axis(attrs_as<AxisAttrs>(attrs).axis, x.rank(), op.name);
  return {slice(x, {axis, 1})};
}

// The cotangent of a distance, one a row, whether or not it has the axis.
Tensors dist_gradients(const VjpArgs& a) {
  const auto& attrs = attrs_as<AxisKeepAttrs>(a.attrs);
  Tensor g = a.grad[0];
  if (attrs.keepdim && g.rank()) g = squeeze(g, {normalize_axis(attrs.axis, g.rank(), a.op.name)});
  Tensor in[] = {a.in[0], a.in[1], g, a.in[2]};
  return apply(lorentz_dist_backward_def, in, box(AxisAttrs{attrs.axis}));
}

void without_time_samples(Samples& s) {
  s.add({s.uniform({3, 5})}, box(AxisAttrs{}));
  s.add({s.uniform({4, 3, 2})}, box(AxisAttrs{0}));
  s.add({s.uniform({2, 1})}, box(AxisAttrs{1}));
  s.refuse(Code::shape, {s.uniform({})}, box(AxisAttrs{}));
  s.refuse(Code::index, {s.uniform({2, 3})}, box(AxisAttrs{2}));
}

}  // namespace

#define GYRE_LORENTZ_OP(name, Body, doc, args, ...)                                         \
  constinit const OpDef name##_def = define_curved<Body, Curvature::positive, __VA_ARGS__>( \
      #name, doc, args, GYRE_TILES_OF(name));
GYRE_LORENTZ_OP(lorentz_add, LorentzAdd, "x + y: the boost that takes the origin to x, of y",
                kTwoPoints, point, point, curvature)
GYRE_LORENTZ_OP(lorentz_scalar_rows, LorentzScalar, "r times x", kScalarRows, point, number,
                curvature)
GYRE_LORENTZ_OP(lorentz_exp, LorentzExp, "where the geodesic from x by v ends", kPointAndTangent,
                point, tangent, curvature)
GYRE_LORENTZ_OP(lorentz_log, LorentzLog, "the tangent vector at x that leads to y", kTwoPoints,
                point, point, curvature)
GYRE_LORENTZ_OP(lorentz_exp0, LorentzExp0, "sinh(sqrt(c)|v|) v / (sqrt(c)|v|)", kTangent, tangent,
                curvature)
GYRE_LORENTZ_OP(lorentz_log0, LorentzLog0, "arsinh(sqrt(c)|x|) x / (sqrt(c)|x|)", kPoint, point,
                curvature)
GYRE_LORENTZ_OP(lorentz_transport, LorentzTransport, "v at x carried along the geodesic to y",
                kTwoPointsAndTangent, point, point, tangent, curvature)
GYRE_LORENTZ_OP(lorentz_transport0, LorentzTransport0, "v at the origin carried to x",
                kPointAndTangent, point, tangent, curvature)
GYRE_LORENTZ_OP(lorentz_geodesic, LorentzGeodesic, "the point at t on the geodesic from x to y",
                kGeodesic, point, point, number, curvature)
GYRE_LORENTZ_OP(lorentz_egrad2rgrad, LorentzEgrad2rgrad,
                "gradient g by coordinates in the metric at x", kPointAndGradient, point, tangent,
                curvature)
GYRE_LORENTZ_OP(lorentz_dist0, LorentzDist0, "distance of x from the origin", kPoint, point,
                curvature)
GYRE_LORENTZ_OP(lorentz_dist2, LorentzDist2, "distance of x and y, squared", kTwoPoints, point,
                point, curvature)
GYRE_LORENTZ_OP(lorentz_inner, LorentzInner, "<u, v> in the metric at x", kTwoTangents, point,
                tangent, tangent, curvature)
GYRE_LORENTZ_OP(lorentz_norm, LorentzNorm, "|v| in the metric at x", kPointAndTangent, point,
                tangent, curvature)
GYRE_LORENTZ_OP(lorentz_to_poincare, LorentzToPoincare, "x in the Poincare ball", kPoint, point,
                curvature)
GYRE_LORENTZ_OP(lorentz_to_klein, LorentzToKlein, "x in the Klein ball", kPoint, point, curvature)
#undef GYRE_LORENTZ_OP

constinit const OpDef lorentz_dist_def = [] {
  OpDef d = define_curved<LorentzDist, Curvature::positive, point, point, curvature>(
      "lorentz_dist", "distance of x and y", kTwoPoints, GYRE_TILES_OF(lorentz_dist));
  d.vjp_first = dist_gradients;
  return d;
}();
constinit const OpDef lorentz_dist_backward_def = [] {
  OpDef d =
      define_curved<LorentzDistBackward, Curvature::positive, point, point, number, curvature>(
          "lorentz_dist_backward", "cotangents of lorentz_dist's operands for that of its result",
          kDistCotangent, GYRE_TILES_OF(lorentz_dist_backward));
  d.outputs = kDistGradients;
  return d;
}();
constinit const OpDef lorentz_sub_def =
    compose_curved<lorentz_subtracted, Curvature::positive, point, point, curvature>(
        "lorentz_sub", "x + (-y)", kTwoPoints);
constinit const OpDef lorentz_scalar_def =
    compose_curved<lorentz_scaled, Curvature::positive, number, point, curvature>(
        "lorentz_scalar", "r times x", kScalar);
constinit const OpDef lorentz_gyration_def =
    compose_curved<lorentz_turned, Curvature::positive, point, point, tangent, curvature>(
        "lorentz_gyration", "gyr[x, y] v", kTwoPointsAndTangent);
constinit const OpDef lorentz_with_time_def =
    compose_curved<with_time, Curvature::positive, point, curvature>(
        "lorentz_with_time", "(sqrt(1 / c + |x|^2), x)", kPoint);
constinit const OpDef lorentz_without_time_def{
    .name = "lorentz_without_time",
    .doc = "the space coordinates of (time, x)",
    .args = kArgX,
    .outputs = kResultOut,
    .attrs = &record_of<AxisAttrs>,
    .compose = without_time,
    .samples = without_time_samples,
};

GYRE_CURVED_3(lorentz_add, AxisAttrs)
GYRE_CURVED_3(lorentz_exp, AxisAttrs)
GYRE_CURVED_3(lorentz_log, AxisAttrs)
GYRE_CURVED_2(lorentz_exp0, AxisAttrs)
GYRE_CURVED_2(lorentz_log0, AxisAttrs)
GYRE_CURVED_4(lorentz_transport, AxisAttrs)
GYRE_CURVED_3(lorentz_transport0, AxisAttrs)
GYRE_CURVED_4(lorentz_geodesic, AxisAttrs)
GYRE_CURVED_3(lorentz_egrad2rgrad, AxisAttrs)
GYRE_CURVED_3(lorentz_dist, AxisKeepAttrs)
GYRE_CURVED_2(lorentz_dist0, AxisKeepAttrs)
GYRE_CURVED_3(lorentz_dist2, AxisKeepAttrs)
GYRE_CURVED_4(lorentz_inner, AxisKeepAttrs)
GYRE_CURVED_3(lorentz_norm, AxisKeepAttrs)
GYRE_CURVED_2(lorentz_to_poincare, AxisAttrs)
GYRE_CURVED_2(lorentz_to_klein, AxisAttrs)
GYRE_CURVED_2(lorentz_with_time, AxisAttrs)
GYRE_CURVED_3(lorentz_sub, AxisAttrs)
GYRE_CURVED_3(lorentz_scalar, AxisAttrs)
GYRE_CURVED_4(lorentz_gyration, AxisAttrs)

Tensor lorentz_without_time(const Tensor& x, const AxisAttrs& a) {
  return apply_one(lorentz_without_time_def, {x}, box(a));
}

}  // namespace gyre
