#include "gyre/hyperbolic/ball/ball.h"

#include "gyre/hyperbolic/ball/ball_bodies.h"
#include "gyre/hyperbolic/define_curved.h"
#include "gyre/hyperbolic/define_project.h"

namespace gyre {

#define OP(name) extern const OpDef name##_def;
#define ROWWISE(name, Body) GYRE_DECLARE_TILES(RowwiseTiles, name) OP(name)
#include "gyre/hyperbolic/ball/ball.def"
#undef ROWWISE
#undef OP

namespace {

constexpr Operands<4> kCotangent{{{"g"}, {"x"}, {"v"}, {"c"}},
                                 {tangent, point, tangent, curvature}};
constexpr const char* kGradients[] = {"x", "v", "c"};

Tensors exp_gradients(const VjpArgs& a) {
  Tensors in{a.grad[0], a.in[0], a.in[1], a.in[2]};
  return apply(poincare_exp_backward_def, in, box(attrs_as<AxisAttrs>(a.attrs)));
}

Tensor ball_subtracted(Inputs in, const AxisAttrs& a) {
  return poincare_add(in[0], opposite(in[1]), in[2], a);
}
Tensor ball_scaled(Inputs in, const AxisAttrs& a) {
  return apply_one(poincare_scalar_rows_def, {in[1], in[0], in[2]}, box(a));
}

}  // namespace

GYRE_CURVED_ROWS(3, poincare_add, PoincareAdd, any, "Möbius addition x ⊕ y", kTwoPoints)
GYRE_CURVED_ROWS(4, poincare_gyration, PoincareGyration, any,
                 "gyration gyr[x, y] v = -(x ⊕ y) ⊕ (x ⊕ (y ⊕ v))", kTwoPointsAndTangent)
constinit const OpDef poincare_scalar_rows_def =
    define_curved<PoincareScalar, Curvature::any, kScalarRows>("poincare_scalar_rows",
                                                               "Möbius scalar multiplication r ⊗ x",
                                                               GYRE_TILES_OF(poincare_scalar_rows));
GYRE_CURVED_ROWS(3, poincare_log, PoincareLog, any, "logarithmic map of y at x", kTwoPoints)
GYRE_CURVED_ROWS(2, poincare_exp0, PoincareExp0, any,
                 "exponential map of v at the origin: tanh(sqrt(c)|v|) v / (sqrt(c)|v|)", kTangent)
GYRE_CURVED_ROWS(2, poincare_log0, PoincareLog0, any,
                 "logarithmic map of x at the origin: artanh(sqrt(c)|x|) x / (sqrt(c)|x|)", kPoint)
GYRE_CURVED_ROWS(4, poincare_transport, PoincareTransport, any,
                 "parallel transport of v from x to y", kTwoPointsAndTangent)
GYRE_CURVED_ROWS(3, poincare_transport0, PoincareTransport0, any,
                 "parallel transport of v from the origin to x", kPointAndTangent)
GYRE_CURVED_ROWS(4, poincare_geodesic, PoincareGeodesic, any,
                 "point at t on the geodesic from x (t = 0) to y (t = 1)", kGeodesic)
GYRE_CURVED_ROWS(3, poincare_egrad2rgrad, PoincareEgrad2rgrad, any,
                 "Riemannian gradient at x from the Euclidean gradient g", kPointAndGradient)
GYRE_CURVED_ROWS(2, poincare_lambda, PoincareLambda, any, "conformal factor 2 / (1 - c|x|^2)",
                 kPoint)
GYRE_CURVED_ROWS(3, poincare_dist, PoincareDist, any, "geodesic distance between x and y",
                 kTwoPoints)
GYRE_CURVED_ROWS(2, poincare_dist0, PoincareDist0, any, "geodesic distance from x to the origin",
                 kPoint)
GYRE_CURVED_ROWS(3, poincare_dist2, PoincareDist2, any, "squared geodesic distance between x and y",
                 kTwoPoints)
GYRE_CURVED_ROWS(4, poincare_inner, PoincareInner, any,
                 "inner product <u, v> of tangent vectors at x", kTwoTangents)
GYRE_CURVED_ROWS(3, poincare_norm, PoincareNorm, any, "norm |v| of a tangent vector at x",
                 kPointAndTangent)

constinit const OpDef poincare_project_def =
    define_project<Curvature::any>("poincare_project", GYRE_TILES_OF(poincare_project));
constinit const OpDef poincare_exp_def = [] {
  OpDef d = define_curved<PoincareExp, Curvature::any, kPointAndTangent>(
      "poincare_exp", "exponential map of v at x", GYRE_TILES_OF(poincare_exp));
  d.vjp_first = exp_gradients;
  return d;
}();
constinit const OpDef poincare_exp_backward_def = [] {
  OpDef d = define_curved<PoincareExpBackward, Curvature::any, kCotangent>(
      "poincare_exp_backward",
      "gradients of poincare_exp: cotangents of its operands from that of its result",
      GYRE_TILES_OF(poincare_exp_backward));
  d.outputs = kGradients;
  return d;
}();

GYRE_CURVED_ROWS(2, poincare_to_lorentz, PoincareToLorentz, positive,
                 "x mapped to the hyperboloid (isometry)", kPoint)
GYRE_CURVED_ROWS(2, poincare_to_klein, PoincareToKlein, positive,
                 "x mapped to the Klein ball (isometry)", kPoint)

GYRE_CURVED_PARTS(3, poincare_sub, ball_subtracted, any, "Möbius subtraction x ⊕ (-y)", kTwoPoints)
GYRE_CURVED_PARTS(3, poincare_scalar, ball_scaled, any, "Möbius scalar multiplication r ⊗ x",
                  kScalar)

GYRE_FUNCTION_2(poincare_project, ProjectAttrs)
GYRE_FUNCTION_3(poincare_exp, AxisAttrs)

}  // namespace gyre
