#pragma once
#include "gyre/hyperbolic/nn/rows/plane_attrs.h"
#include "gyre/ops/norm/norm.h"

// Row ops before and after the matrix product of points and hyperplanes: the layers of Shimizu,
// Mukuta and Harada 2021 ("Hyperbolic neural networks++") and the classifier of Bdeir, Schwethelm
// and Landwehr 2024 ("Fully hyperbolic convolutional neural networks"). c > 0 is a number, a 0-d
// tensor or one value per row. Each is one row kernel, forward and backward; differentiable in
// every tensor.

namespace gyre {

GYRE_FIELDS(PlaneAttrs, GYRE_FIELD(axis, "the axis; negative counts from the last"),
            GYRE_FIELD(wide, "return the factors of the matrix product in f64"));

/// Points of the ball or of the hyperboloid (space coordinates) as factors of a matrix product; f64
/// if wide.
struct Lifted {
  Tensor space;  ///< x
  Tensor time;   ///< time coordinate on the hyperboloid in units of 1 / sqrt(c), one per row
};
Lifted poincare_lift(const Tensor& x, const Tensor& c, const PlaneAttrs& a = {});
Lifted lorentz_lift(const Tensor& x, const Tensor& c, const PlaneAttrs& a = {});

/// Hyperplanes as factors of a matrix product, and the coefficients that turn products into logits;
/// f64 if wide, except `gain`, which has the dtype of results.
struct Hyperplanes {
  Tensor normal;               ///< z
  Tensor slope, offset, gain;  ///< one number per hyperplane
};
/// Rows z are normals at the origin, r one number per row: the offset of the hyperplane along z, as
/// gyrodistance (ball) or distance (hyperboloid) from the origin.
Hyperplanes poincare_planes(const Tensor& z, const Tensor& r, const Tensor& c,
                            const PlaneAttrs& a = {});
Hyperplanes lorentz_planes(const Tensor& z, const Tensor& r, const Tensor& c,
                           const PlaneAttrs& a = {});

/// Logits of multinomial logistic regression: signed distances to the hyperplanes times the norms
/// of their normals, from the product of points and normals: eq. 6 of Shimizu et al. 2021; theorem
/// 2 of Bdeir et al. 2024. In the dtype of the gains.
Tensor poincare_scores(const Tensor& product, const Hyperplanes& planes, const Tensor& time,
                       const Tensor& c);
Tensor lorentz_scores(const Tensor& product, const Hyperplanes& planes, const Tensor& time,
                      const Tensor& c);
/// The point of the ball with these logits as signed distances to the hyperplanes through the
/// origin orthogonal to the axes, eq. 7 of Shimizu et al. 2021; projected into the ball as by
/// poincare_project.
Tensor poincare_from_planes(const Tensor& product, const Hyperplanes& planes, const Tensor& time,
                            const Tensor& c);

}  // namespace gyre
