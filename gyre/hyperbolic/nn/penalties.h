#pragma once
#include "gyre/base/record.h"
#include "gyre/tensor/tensor.h"

// What is added to a loss, of points x of the Poincare ball, rows of the last axis; c > 0 is a
// number or a 0-d tensor. Computed in f64.

namespace gyre {

struct BoundaryAttrs {
  double margin = 0.05;
};
GYRE_FIELDS(BoundaryAttrs,
            GYRE_FIELD(margin, "share of the radius, next to the edge, that costs; in (0, 1)"));
/// The mean over the points of max(0, c|x|^2 - (1 - margin)^2)^2: 0 but for points near the edge.
/// Error{value} for another margin.
Tensor poincare_boundary(const Tensor& x, const Tensor& c, const BoundaryAttrs& attrs = {});

struct CurvatureTargetAttrs {
  double target = 1;
};
GYRE_FIELDS(CurvatureTargetAttrs, GYRE_FIELD(target, "what c is drawn to; above 0"));
/// The mean of log(c / target)^2. Error{value} for a target that is not finite and above 0.
Tensor curvature_penalty(const Tensor& c, const CurvatureTargetAttrs& attrs = {});

/// Of each set of points x [..., n, d] the mean squared distance from their midpoint: [...].
/// Error{shape}.
Tensor poincare_variance(const Tensor& x, const Tensor& c);

struct ContrastiveAttrs {
  double temperature = 0.1;
};
GYRE_FIELDS(ContrastiveAttrs, GYRE_FIELD(temperature, "what distances are divided by; above 0"));
/// The supervised contrastive loss (Khosla et al. 2020, eq. 2) with the distance of points x [n, d]
/// in the place of the inner product: the mean, over the points that share their label with others,
/// of the mean over these of -log(e^(-d / temperature) / the sum of the same over all other
/// points). labels [n] are integers; 0 when no two are the same. Error{shape}, Error{value} for
/// another temperature.
Tensor poincare_contrastive(const Tensor& x, const Tensor& labels, const Tensor& c,
                            const ContrastiveAttrs& attrs = {});

}  // namespace gyre
