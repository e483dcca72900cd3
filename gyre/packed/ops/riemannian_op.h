#pragma once
#include "gyre/base/record.h"
#include "gyre/op/op_def.h"

namespace gyre {

struct RiemannianStepAttrs {
  double lr = 1e-3, beta1 = 0.9, beta2 = 0.999, eps = 1e-8;
  int64_t step = 1;
  bool turns = true;
};
GYRE_FIELDS(RiemannianStepAttrs, GYRE_FIELD(lr, "learning rate"),
            GYRE_FIELD(beta1, "β1, decay rate of m", .least = 0, .below = 1),
            GYRE_FIELD(beta2, "β2, decay rate of v", .least = 0, .below = 1),
            GYRE_FIELD(eps, "added to the denominator for numerical stability", .least = 0),
            GYRE_FIELD(step, "number of the step, from 1", .least = 1),
            GYRE_FIELD(turns, "whether angles move; without, a scale below 0 becomes 0"));

extern const OpDef packed_riemannian_step_def;

/// Points, m and v after a step of Adam for points [groups, 2] of the hyperbolic plane in polar
/// coordinates (training/riemannian_step.h), which are scales u and angles theta of packed weights.
/// All four have that shape and are floating; results are f64 if one of them is, else f32. Not
/// recorded. Error{shape, dtype}.
Tensors packed_riemannian_step(const Tensor& points, const Tensor& gradient, const Tensor& m,
                               const Tensor& v, const RiemannianStepAttrs& attrs = {});

}  // namespace gyre
