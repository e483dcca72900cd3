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

template <class Body, char... kinds>
constexpr OpDef ball_op(const char* name, const char* doc, std::span<const Arg> args,
                        const PerIsa<RowwiseTiles>& tiles) {
  return define_curved<Body, Curvature::any, kinds...>(name, doc, args, tiles);
}

constexpr Arg kCotangent[] = {{"g"}, {"x"}, {"v"}, {"c"}};
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

#define GYRE_BALL_OP(name, Body, doc, args, ...) \
  constinit const OpDef name##_def =             \
      ball_op<Body, __VA_ARGS__>(#name, doc, args, GYRE_TILES_OF(name));

GYRE_BALL_OP(poincare_add, PoincareAdd, "Möbius addition x ⊕ y", kTwoPoints, point, point,
             curvature)
GYRE_BALL_OP(poincare_gyration, PoincareGyration, "gyration gyr[x, y] v = -(x ⊕ y) ⊕ (x ⊕ (y ⊕ v))",
             kTwoPointsAndTangent, point, point, tangent, curvature)
GYRE_BALL_OP(poincare_scalar_rows, PoincareScalar, "Möbius scalar multiplication r ⊗ x",
             kScalarRows, point, number, curvature)
GYRE_BALL_OP(poincare_log, PoincareLog, "logarithmic map of y at x", kTwoPoints, point, point,
             curvature)
GYRE_BALL_OP(poincare_exp0, PoincareExp0,
             "exponential map of v at the origin: tanh(sqrt(c)|v|) v / (sqrt(c)|v|)", kTangent,
             tangent, curvature)
GYRE_BALL_OP(poincare_log0, PoincareLog0,
             "logarithmic map of x at the origin: artanh(sqrt(c)|x|) x / (sqrt(c)|x|)", kPoint,
             point, curvature)
GYRE_BALL_OP(poincare_transport, PoincareTransport, "parallel transport of v from x to y",
             kTwoPointsAndTangent, point, point, tangent, curvature)
GYRE_BALL_OP(poincare_transport0, PoincareTransport0,
             "parallel transport of v from the origin to x", kPointAndTangent, point, tangent,
             curvature)
GYRE_BALL_OP(poincare_geodesic, PoincareGeodesic,
             "point at t on the geodesic from x (t = 0) to y (t = 1)", kGeodesic, point, point,
             number, curvature)
GYRE_BALL_OP(poincare_egrad2rgrad, PoincareEgrad2rgrad,
             "Riemannian gradient at x from the Euclidean gradient g", kPointAndGradient, point,
             tangent, curvature)
GYRE_BALL_OP(poincare_lambda, PoincareLambda, "conformal factor 2 / (1 - c|x|^2)", kPoint, point,
             curvature)
GYRE_BALL_OP(poincare_dist, PoincareDist, "geodesic distance between x and y", kTwoPoints, point,
             point, curvature)
GYRE_BALL_OP(poincare_dist0, PoincareDist0, "geodesic distance from x to the origin", kPoint, point,
             curvature)
GYRE_BALL_OP(poincare_dist2, PoincareDist2, "squared geodesic distance between x and y", kTwoPoints,
             point, point, curvature)
GYRE_BALL_OP(poincare_inner, PoincareInner, "inner product <u, v> of tangent vectors at x",
             kTwoTangents, point, tangent, tangent, curvature)
GYRE_BALL_OP(poincare_norm, PoincareNorm, "norm |v| of a tangent vector at x", kPointAndTangent,
             point, tangent, curvature)
#undef GYRE_BALL_OP

constinit const OpDef poincare_project_def =
    define_project<Curvature::any>("poincare_project", GYRE_TILES_OF(poincare_project));
constinit const OpDef poincare_exp_def = [] {
  OpDef d = ball_op<PoincareExp, point, tangent, curvature>(
      "poincare_exp", "exponential map of v at x", kPointAndTangent, GYRE_TILES_OF(poincare_exp));
  d.vjp_first = exp_gradients;
  return d;
}();
constinit const OpDef poincare_exp_backward_def = [] {
  OpDef d = ball_op<PoincareExpBackward, tangent, point, tangent, curvature>(
      "poincare_exp_backward",
      "gradients of poincare_exp: cotangents of its operands from that of its result", kCotangent,
      GYRE_TILES_OF(poincare_exp_backward));
  d.outputs = kGradients;
  return d;
}();

#define GYRE_BALL_CONVERSION(name, Body, doc)                                                    \
  constinit const OpDef name##_def = define_curved<Body, Curvature::positive, point, curvature>( \
      #name, doc, kPoint, GYRE_TILES_OF(name));
GYRE_BALL_CONVERSION(poincare_to_lorentz, PoincareToLorentz,
                     "x mapped to the hyperboloid (isometry)")
GYRE_BALL_CONVERSION(poincare_to_klein, PoincareToKlein, "x mapped to the Klein ball (isometry)")
#undef GYRE_BALL_CONVERSION

constinit const OpDef poincare_sub_def =
    compose_curved<ball_subtracted, Curvature::any, point, point, curvature>(
        "poincare_sub", "Möbius subtraction x ⊕ (-y)", kTwoPoints);
constinit const OpDef poincare_scalar_def =
    compose_curved<ball_scaled, Curvature::any, number, point, curvature>(
        "poincare_scalar", "Möbius scalar multiplication r ⊗ x", kScalar);

GYRE_CURVED_2(poincare_exp0, AxisAttrs)
GYRE_CURVED_2(poincare_log0, AxisAttrs)
GYRE_CURVED_2(poincare_project, ProjectAttrs)
GYRE_CURVED_2(poincare_to_lorentz, AxisAttrs)
GYRE_CURVED_2(poincare_to_klein, AxisAttrs)
GYRE_CURVED_2(poincare_lambda, AxisKeepAttrs)
GYRE_CURVED_2(poincare_dist0, AxisKeepAttrs)
GYRE_CURVED_3(poincare_add, AxisAttrs)
GYRE_CURVED_3(poincare_sub, AxisAttrs)
GYRE_CURVED_3(poincare_scalar, AxisAttrs)
GYRE_CURVED_3(poincare_exp, AxisAttrs)
GYRE_CURVED_3(poincare_log, AxisAttrs)
GYRE_CURVED_3(poincare_transport0, AxisAttrs)
GYRE_CURVED_3(poincare_egrad2rgrad, AxisAttrs)
GYRE_CURVED_3(poincare_dist, AxisKeepAttrs)
GYRE_CURVED_3(poincare_dist2, AxisKeepAttrs)
GYRE_CURVED_3(poincare_norm, AxisKeepAttrs)
GYRE_CURVED_4(poincare_gyration, AxisAttrs)
GYRE_CURVED_4(poincare_transport, AxisAttrs)
GYRE_CURVED_4(poincare_geodesic, AxisAttrs)
GYRE_CURVED_4(poincare_inner, AxisKeepAttrs)

}  // namespace gyre
