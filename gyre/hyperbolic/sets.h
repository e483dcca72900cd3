#pragma once
#include "gyre/tensor/tensor.h"

// Sets of points along the axis before the last, in the three models (ball.h, lorentz.h, klein.h).

namespace gyre {

/// Distances of all pairs of x [..., n, d] and y [..., m, d]: [..., n, m]. c is a number, a 0-d
/// tensor or broadcasts to that shape. No tensor of n m d elements is made, nor by backward where
/// there are 64 pairs or more of every point. Error{shape, value}.
Tensor poincare_cdist(const Tensor& x, const Tensor& y, const Tensor& c);
Tensor lorentz_cdist(const Tensor& x, const Tensor& y, const Tensor& c);
Tensor klein_cdist(const Tensor& x, const Tensor& y, const Tensor& c);

/// The midpoint of x [..., n, d] by weights [..., n]: the point of the hyperboloid in the direction
/// of the weighted sum (Ungar's of the balls, the Lorentz centroid of Law et al. 2019). c > 0 is a
/// number, a 0-d tensor or one value a set. Computed in f64. Error{shape, value}.
Tensor poincare_midpoint(const Tensor& x, const Tensor& weights, const Tensor& c);
Tensor lorentz_midpoint(const Tensor& x, const Tensor& weights, const Tensor& c);
Tensor klein_midpoint(const Tensor& x, const Tensor& weights, const Tensor& c);

}  // namespace gyre
