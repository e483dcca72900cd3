#pragma once
#include "gyre/hyperbolic/nn/rows/plane_attrs.h"
#include "gyre/ops/norm/norm.h"

// What stands before and behind the product of points and hyperplanes: the layers of Shimizu,
// Mukuta and Harada 2021 ("Hyperbolic neural networks++") and the classifier of Bdeir, Schwethelm
// and Landwehr 2024 ("Fully hyperbolic convolutional neural networks"). c > 0 is a number, a 0-d
// tensor or one value a row. Each is one row kernel each way; gradients in every tensor.

namespace gyre {

GYRE_FIELDS(PlaneAttrs, GYRE_FIELD(axis, "the axis; negative counts from the last"),
            GYRE_FIELD(wide, "what goes into a product is f64"));

/// Points of the ball or of the hyperboloid (by their space coordinates) as factors of a product;
/// f64 if wide.
struct Lifted {
  Tensor space;  ///< x
  Tensor time;   ///< of its place on the hyperboloid, in units of 1 / sqrt(c), one number a row
};
Lifted poincare_lift(const Tensor& x, const Tensor& c, const PlaneAttrs& a = {});
Lifted lorentz_lift(const Tensor& x, const Tensor& c, const PlaneAttrs& a = {});

/// Hyperplanes as factors of a product, and what turns products into scores; f64 if wide, but for
/// `gain`, whose dtype results have.
struct Hyperplanes {
  Tensor normal;               ///< z
  Tensor slope, offset, gain;  ///< one number a plane
};
/// Rows z are normals at the origin, r one number a row: the plane's gyrodistance from the origin
/// (the ball) or its distance (the hyperboloid), along z.
Hyperplanes poincare_planes(const Tensor& z, const Tensor& r, const Tensor& c,
                            const PlaneAttrs& a = {});
Hyperplanes lorentz_planes(const Tensor& z, const Tensor& r, const Tensor& c,
                           const PlaneAttrs& a = {});

/// Signed distances from the planes times the lengths of their normals at the plane, for the
/// product of points and normals: eq. 6 of Shimizu et al. 2021; theorem 2 of Bdeir et al. 2024. In
/// the dtype of the gains.
Tensor poincare_scores(const Tensor& product, const Hyperplanes& planes, const Tensor& time,
                       const Tensor& c);
Tensor lorentz_scores(const Tensor& product, const Hyperplanes& planes, const Tensor& time,
                      const Tensor& c);
/// The point of the ball with these scores as distances from the planes through the origin that
/// are orthogonal to the axes, eq. 7 of Shimizu et al. 2021, drawn inside as by poincare_project.
Tensor poincare_from_planes(const Tensor& product, const Hyperplanes& planes, const Tensor& time,
                            const Tensor& c);

}  // namespace gyre
