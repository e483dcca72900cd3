#include "gyre/hyperbolic/klein/klein.h"

#include "gyre/hyperbolic/define_curved.h"
#include "gyre/hyperbolic/define_project.h"
#include "gyre/hyperbolic/klein/klein_bodies.h"

namespace gyre {

#define GYRE_OPS "gyre/hyperbolic/klein/klein.def"
#include "gyre/kernel/declare_ops.def"

namespace {

// Through the origin: transport is gyr[y, -x] between the frames that transport0 moves there.
Tensor carried(Inputs in, const AxisAttrs& a) {
  const Tensor &c = in[3], &v = in[2];
  Tensor x = to(in[0], DType::f64), y = to(in[1], DType::f64);
  Tensor home = klein_untransport0(x, to(v, DType::f64), c, a);
  Tensor there = klein_transport0(y, klein_gyration(y, -x, home, c, a), c, a);
  return to(there, result_dtype(in.first(3)));
}

}  // namespace

GYRE_CURVED_ROWS(3, klein_add, KleinAdd, positive, "Einstein addition x ⊕ y", kTwoPoints)
GYRE_CURVED_SCALAR(klein, PoincareScalar, positive,
                   "scalar multiplication r ⊗ x of the Einstein gyrovector space")
GYRE_CURVED_ROWS(3, klein_exp, KleinExp, positive, "exponential map of v at x", kPointAndTangent)
GYRE_CURVED_MODEL(klein, Klein, positive)
GYRE_CURVED_ROWS(2, klein_exp0, PoincareExp0, positive,
                 "exponential map of v at the origin: tanh(sqrt(c)|v|) v / (sqrt(c)|v|)", kTangent)
GYRE_CURVED_ROWS(2, klein_log0, PoincareLog0, positive,
                 "logarithmic map of x at the origin: artanh(sqrt(c)|x|) x / (sqrt(c)|x|)", kPoint)
GYRE_CURVED_ROWS(3, klein_untransport0, KleinUntransport0, positive,
                 "parallel transport of v from x to the origin", kPointAndTangent)
GYRE_CURVED_ROWS(3, klein_dist, KleinDist, positive, "geodesic distance between x and y",
                 kTwoPoints)
GYRE_CURVED_ROWS(2, klein_to_poincare, KleinToPoincare, positive,
                 "x mapped to the Poincaré ball (isometry)", kPoint)
GYRE_CURVED_ROWS(2, klein_to_lorentz, KleinToLorentz, positive,
                 "x mapped to the hyperboloid (isometry)", kPoint)

constinit const OpDef klein_project_def =
    define_project<Curvature::positive>("klein_project", GYRE_TILES_OF(klein_project));
GYRE_CURVED_PARTS(3, klein_sub, subtracted<klein_add>, positive, "Einstein subtraction x ⊕ (-y)",
                  kTwoPoints)
GYRE_CURVED_PARTS(4, klein_gyration, turned<klein_to_poincare>, positive,
                  "gyration gyr[x, y] v = -(x ⊕ y) ⊕ (x ⊕ (y ⊕ v))", kTwoPointsAndTangent)
GYRE_CURVED_PARTS(4, klein_transport, carried, positive, "parallel transport of v from x to y",
                  kTwoPointsAndTangent)

GYRE_FUNCTION_2(klein_project, ProjectAttrs)

}  // namespace gyre
