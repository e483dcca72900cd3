#pragma once
#include "gyre/tensor/tensor.h"

// Sets of points along the axis before the last, in the three models (ball.h, lorentz.h, klein.h).

namespace gyre {

/// Distances of all pairs of x [..., n, d] and y [..., m, d]: [..., n, m]. c is a number, a 0-d
/// tensor or broadcasts to that shape. No tensor of n m d elements is made, nor by backward where
/// there are 64 pairs or more of every point, but that of lorentz_cdist makes two. Error{shape,
/// value}.
Tensor poincare_cdist(const Tensor& x, const Tensor& y, const Tensor& c);
Tensor lorentz_cdist(const Tensor& x, const Tensor& y, const Tensor& c);
Tensor klein_cdist(const Tensor& x, const Tensor& y, const Tensor& c);

/// The midpoint of x [..., n, d] by weights [..., n]: the point of the hyperboloid in the direction
/// of the weighted sum (Ungar's of the balls, the Lorentz centroid of Law et al. 2019). c > 0 is a
/// number, a 0-d tensor or one value a set. Computed in f64: right to 2^-52 times e^r for points at
/// distance r of the origin and weights that are not negative, before the result is rounded to the
/// dtype of x. Error{shape, value}.
Tensor poincare_midpoint(const Tensor& x, const Tensor& weights, const Tensor& c);
Tensor lorentz_midpoint(const Tensor& x, const Tensor& weights, const Tensor& c);
Tensor klein_midpoint(const Tensor& x, const Tensor& weights, const Tensor& c);

/// The Frechet mean of x [..., n, d] by weights [..., n], which are positive: the one point with
/// the least sum of weights times squared distances. Operands as of the midpoints. Solved in f64 in
/// the ball, by the midpoints of Lou et al. 2020 and Newton's steps; derivatives up to the third
/// order are those of the equation solved. Right to 2^-53 times e^r for points at distance r of
/// the origin. A set without a mean (no points, weights that sum to 0, NaN) has NaN.
Tensor poincare_frechet_mean(const Tensor& x, const Tensor& weights, const Tensor& c);
Tensor lorentz_frechet_mean(const Tensor& x, const Tensor& weights, const Tensor& c);
Tensor klein_frechet_mean(const Tensor& x, const Tensor& weights, const Tensor& c);

}  // namespace gyre
