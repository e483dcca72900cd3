#include "gyre/hyperbolic/nn/rows/product_rows.h"

#include "gyre/hyperbolic/define_curved.h"
#include "gyre/hyperbolic/nn/rows/product_rows_bodies.h"

namespace gyre {

#define GYRE_OPS "gyre/hyperbolic/nn/rows/rows.def"
#include "gyre/kernel/declare_ops.def"

namespace {

constexpr Operands<3> kVectorAndBias{{{"v"}, {"b"}, {"c"}}, {tangent, point, curvature}};

template <class Body>
constexpr OpDef sum_op(const char* name, const char* doc, const PerIsa<RowwiseTiles>& tiles) {
  OpDef d = define_curved<Body, Curvature::positive, kVectorAndBias>(name, doc, tiles);
  d.samples = [](Samples& s) {
    curved_samples<AxisAttrs, Curvature::positive, kVectorAndBias>(s);
    s.add({s.uniform({4, 5}), s.uniform({5}, -0.3, 0.3), s.uniform({}, 0.5, 1)});
    s.add({s.uniform({70, 3}), s.uniform({3}, -0.3, 0.3), s.uniform({}, 0.5, 1)});
    s.extreme({s.values({0, 0}), s.values({0, 0}), s.uniform({}, 1, 1)});  // the origin
    s.refuse(Code::value, {s.values({0.1}), s.values({0.1}), Tensor(0.0)});
  };
  return d;
}

}  // namespace

constinit const OpDef poincare_exp0_add_def =
    sum_op<PoincareExp0Add>("poincare_exp0_add", "Möbius bias exp0(v) ⊕ b, projected into the ball",
                            GYRE_TILES_OF(poincare_exp0_add));
constinit const OpDef poincare_exp0_add_exp0_def = sum_op<PoincareExp0AddExp0>(
    "poincare_exp0_add_exp0", "Möbius bias exp0(v) ⊕ exp0(b), projected into the ball",
    GYRE_TILES_OF(poincare_exp0_add_exp0));

GYRE_FUNCTION_3(poincare_exp0_add, AxisAttrs)
GYRE_FUNCTION_3(poincare_exp0_add_exp0, AxisAttrs)

}  // namespace gyre
