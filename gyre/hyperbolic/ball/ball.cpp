#include "gyre/hyperbolic/ball/ball.h"

#include "gyre/hyperbolic/ball/ball_bodies.h"
#include "gyre/hyperbolic/define_curved.h"
#include "gyre/hyperbolic/define_project.h"

namespace gyre {

#define GYRE_OPS "gyre/hyperbolic/ball/ball.def"
#include "gyre/kernel/declare_ops.def"

namespace {

constexpr Operands<4> kCotangent{{{"g"}, {"x"}, {"v"}, {"c"}},
                                 {tangent, point, tangent, curvature}};
constexpr const char* kGradients[] = {"x", "v", "c"};

Tensors exp_gradients(const VjpArgs& a) {
  Tensors in{a.grad[0], a.in[0], a.in[1], a.in[2]};
  return apply(poincare_exp_backward_def, in, box(attrs_as<AxisAttrs>(a.attrs)));
}

}  // namespace

GYRE_CURVED_ROWS(3, poincare_add, PoincareAdd, any, "Möbius addition x ⊕ y", kTwoPoints)
GYRE_CURVED_ROWS(4, poincare_gyration, PoincareGyration, any,
                 "gyration gyr[x, y] v = -(x ⊕ y) ⊕ (x ⊕ (y ⊕ v))", kTwoPointsAndTangent)
GYRE_CURVED_SCALAR(poincare, PoincareScalar, any, "Möbius scalar multiplication r ⊗ x")
GYRE_CURVED_MODEL(poincare, Poincare, any)
GYRE_CURVED_ROWS(2, poincare_exp0, PoincareExp0, any,
                 "exponential map of v at the origin: tanh(sqrt(c)|v|) v / (sqrt(c)|v|)", kTangent)
GYRE_CURVED_ROWS(2, poincare_log0, PoincareLog0, any,
                 "logarithmic map of x at the origin: artanh(sqrt(c)|x|) x / (sqrt(c)|x|)", kPoint)
GYRE_CURVED_ROWS(4, poincare_transport, PoincareTransport, any,
                 "parallel transport of v from x to y", kTwoPointsAndTangent)
GYRE_CURVED_ROWS(2, poincare_lambda, PoincareLambda, any, "conformal factor 2 / (1 - c|x|^2)",
                 kPoint)
GYRE_CURVED_ROWS(3, poincare_dist, PoincareDist, any, "geodesic distance between x and y",
                 kTwoPoints)

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

GYRE_CURVED_PARTS(3, poincare_sub, subtracted<poincare_add>, any, "Möbius subtraction x ⊕ (-y)",
                  kTwoPoints)

GYRE_FUNCTION_2(poincare_project, ProjectAttrs)
GYRE_FUNCTION_3(poincare_exp, AxisAttrs)

}  // namespace gyre
