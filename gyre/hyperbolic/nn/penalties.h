#pragma once
#include "gyre/base/record.h"
#include "gyre/tensor/tensor.h"

// Regularisers and losses of points x of the Poincaré ball, rows of the last axis; c > 0 is a
// number or a 0-d tensor. Computed in f64.

namespace gyre {

struct BoundaryAttrs {
  double margin = 0.05;
};
GYRE_FIELDS(
    BoundaryAttrs,
    GYRE_FIELD(margin,
               "width of the penalised boundary zone as a fraction of the radius, in (0, 1)",
               .above = 0, .below = 1));
/// Boundary penalty: mean over the points of max(0, c|x|^2 - (1 - margin)^2)^2, nonzero only near
/// the boundary. Error{value} unless 0 < margin < 1.
Tensor poincare_boundary(const Tensor& x, const Tensor& c, const BoundaryAttrs& attrs = {});

struct CurvatureTargetAttrs {
  double target = 1;
};
GYRE_FIELDS(CurvatureTargetAttrs,
            GYRE_FIELD(target, "target curvature of the penalty, above 0", .above = 0));
/// Curvature penalty: mean of log(c / target)^2. Error{value} unless target is finite and above 0.
Tensor curvature_penalty(const Tensor& c, const CurvatureTargetAttrs& attrs = {});

/// Variance of each set of points x [..., n, d]: mean squared distance to their midpoint: [...].
/// Error{shape}.
Tensor poincare_variance(const Tensor& x, const Tensor& c);

struct ContrastiveAttrs {
  double temperature = 0.1;
};
GYRE_FIELDS(ContrastiveAttrs,
            GYRE_FIELD(temperature, "temperature: distances are divided by it; above 0",
                       .above = 0));
/// Supervised contrastive loss (Khosla et al. 2020, eq. 2) with negative distances of points x [n,
/// d] as similarities: the mean, over points with positives (other points of the same label), of
/// the mean over the positives of -log(e^(-d / temperature) / sum of the same over all other
/// points). labels [n] are integers; 0 if there are no positives. Error{shape}; Error{value} unless
/// temperature is finite and above 0.
Tensor poincare_contrastive(const Tensor& x, const Tensor& labels, const Tensor& c,
                            const ContrastiveAttrs& attrs = {});

}  // namespace gyre
