#include "gyre/hyperbolic/klein/klein.h"

#include "gyre/hyperbolic/define_curved.h"
#include "gyre/hyperbolic/define_project.h"
#include "gyre/hyperbolic/klein/klein_bodies.h"

namespace gyre {

#define OP(name) extern const OpDef name##_def;
#define ROWWISE(name, Body) GYRE_DECLARE_TILES(RowwiseTiles, name) OP(name)
#include "gyre/hyperbolic/klein/klein.def"
#undef ROWWISE
#undef OP

namespace {

Tensor klein_subtracted(Inputs in, const AxisAttrs& a) {
  return klein_add(in[0], opposite(in[1]), in[2], a);
}
Tensor klein_scaled(Inputs in, const AxisAttrs& a) {
  return apply_one(klein_scalar_rows_def, {in[1], in[0], in[2]}, box(a));
}

// The gyration is that of the same points in the Poincaré ball; in f64, since the conversion loses
// digits.
Tensor klein_turned(Inputs in, const AxisAttrs& a) {
  const Tensor& c = in[3];
  auto there = [&](const Tensor& x) { return klein_to_poincare(to(x, DType::f64), c, a); };
  Tensor v = poincare_gyration(there(in[0]), there(in[1]), to(in[2], DType::f64), c, a);
  return to(v, result_dtype(in.first(3)));
}

// Through the origin: transport is gyr[y, -x] between the frames that transport0 moves there.
Tensor carried(Inputs in, const AxisAttrs& a) {
  const Tensor &c = in[3], &v = in[2];
  Tensor x = to(in[0], DType::f64), y = to(in[1], DType::f64);
  Tensor home = klein_untransport0(x, to(v, DType::f64), c, a);
  Tensor there = klein_transport0(y, klein_gyration(y, -x, home, c, a), c, a);
  return to(there, result_dtype(in.first(3)));
}

}  // namespace

#define GYRE_KLEIN_OP(name, Body, doc, args, ...)                                           \
  constinit const OpDef name##_def = define_curved<Body, Curvature::positive, __VA_ARGS__>( \
      #name, doc, args, GYRE_TILES_OF(name));
GYRE_KLEIN_OP(klein_add, KleinAdd, "Einstein addition x ⊕ y", kTwoPoints, point, point, curvature)
GYRE_KLEIN_OP(klein_scalar_rows, PoincareScalar,
              "scalar multiplication r ⊗ x of the Einstein gyrovector space", kScalarRows, point,
              number, curvature)
GYRE_KLEIN_OP(klein_exp, KleinExp, "exponential map of v at x", kPointAndTangent, point, tangent,
              curvature)
GYRE_KLEIN_OP(klein_log, KleinLog, "logarithmic map of y at x", kTwoPoints, point, point, curvature)
GYRE_KLEIN_OP(klein_exp0, PoincareExp0,
              "exponential map of v at the origin: tanh(sqrt(c)|v|) v / (sqrt(c)|v|)", kTangent,
              tangent, curvature)
GYRE_KLEIN_OP(klein_log0, PoincareLog0,
              "logarithmic map of x at the origin: artanh(sqrt(c)|x|) x / (sqrt(c)|x|)", kPoint,
              point, curvature)
GYRE_KLEIN_OP(klein_transport0, KleinTransport0, "parallel transport of v from the origin to x",
              kPointAndTangent, point, tangent, curvature)
GYRE_KLEIN_OP(klein_untransport0, KleinUntransport0, "parallel transport of v from x to the origin",
              kPointAndTangent, point, tangent, curvature)
GYRE_KLEIN_OP(klein_geodesic, KleinGeodesic,
              "point at t on the geodesic from x (t = 0) to y (t = 1)", kGeodesic, point, point,
              number, curvature)
GYRE_KLEIN_OP(klein_egrad2rgrad, KleinEgrad2rgrad,
              "Riemannian gradient at x from the Euclidean gradient g", kPointAndGradient, point,
              tangent, curvature)
GYRE_KLEIN_OP(klein_dist, KleinDist, "geodesic distance between x and y", kTwoPoints, point, point,
              curvature)
GYRE_KLEIN_OP(klein_dist0, KleinDist0, "geodesic distance from x to the origin", kPoint, point,
              curvature)
GYRE_KLEIN_OP(klein_dist2, KleinDist2, "squared geodesic distance between x and y", kTwoPoints,
              point, point, curvature)
GYRE_KLEIN_OP(klein_inner, KleinInner, "inner product <u, v> of tangent vectors at x", kTwoTangents,
              point, tangent, tangent, curvature)
GYRE_KLEIN_OP(klein_norm, KleinNorm, "norm |v| of a tangent vector at x", kPointAndTangent, point,
              tangent, curvature)
GYRE_KLEIN_OP(klein_to_poincare, KleinToPoincare, "x mapped to the Poincaré ball (isometry)",
              kPoint, point, curvature)
GYRE_KLEIN_OP(klein_to_lorentz, KleinToLorentz, "x mapped to the hyperboloid (isometry)", kPoint,
              point, curvature)
#undef GYRE_KLEIN_OP

constinit const OpDef klein_project_def =
    define_project<Curvature::positive>("klein_project", GYRE_TILES_OF(klein_project));
constinit const OpDef klein_sub_def =
    compose_curved<klein_subtracted, Curvature::positive, point, point, curvature>(
        "klein_sub", "Einstein subtraction x ⊕ (-y)", kTwoPoints);
constinit const OpDef klein_scalar_def =
    compose_curved<klein_scaled, Curvature::positive, number, point, curvature>(
        "klein_scalar", "scalar multiplication r ⊗ x of the Einstein gyrovector space", kScalar);
constinit const OpDef klein_gyration_def =
    compose_curved<klein_turned, Curvature::positive, point, point, tangent, curvature>(
        "klein_gyration", "gyration gyr[x, y] v = -(x ⊕ y) ⊕ (x ⊕ (y ⊕ v))", kTwoPointsAndTangent);
constinit const OpDef klein_transport_def =
    compose_curved<carried, Curvature::positive, point, point, tangent, curvature>(
        "klein_transport", "parallel transport of v from x to y", kTwoPointsAndTangent);

GYRE_CURVED_3(klein_add, AxisAttrs)
GYRE_CURVED_3(klein_exp, AxisAttrs)
GYRE_CURVED_3(klein_log, AxisAttrs)
GYRE_CURVED_2(klein_exp0, AxisAttrs)
GYRE_CURVED_2(klein_log0, AxisAttrs)
GYRE_CURVED_3(klein_transport0, AxisAttrs)
GYRE_CURVED_3(klein_untransport0, AxisAttrs)
GYRE_CURVED_4(klein_geodesic, AxisAttrs)
GYRE_CURVED_3(klein_egrad2rgrad, AxisAttrs)
GYRE_CURVED_2(klein_project, ProjectAttrs)
GYRE_CURVED_3(klein_dist, AxisKeepAttrs)
GYRE_CURVED_2(klein_dist0, AxisKeepAttrs)
GYRE_CURVED_3(klein_dist2, AxisKeepAttrs)
GYRE_CURVED_4(klein_inner, AxisKeepAttrs)
GYRE_CURVED_3(klein_norm, AxisKeepAttrs)
GYRE_CURVED_2(klein_to_poincare, AxisAttrs)
GYRE_CURVED_2(klein_to_lorentz, AxisAttrs)
GYRE_CURVED_3(klein_sub, AxisAttrs)
GYRE_CURVED_3(klein_scalar, AxisAttrs)
GYRE_CURVED_4(klein_gyration, AxisAttrs)
GYRE_CURVED_4(klein_transport, AxisAttrs)

}  // namespace gyre
