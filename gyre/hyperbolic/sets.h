#pragma once
#include "gyre/tensor/tensor.h"

// Sets of points [..., n, d] in the three models (ball.h, lorentz.h, klein.h).

namespace gyre {

/// Pairwise distances of x [..., n, d] and y [..., m, d]: [..., n, m]. c is a number, a 0-d tensor
/// or broadcasts to the result. Forward allocates no tensor of n m d elements, nor does backward if
/// every point has at least 64 pairs; backward of lorentz_cdist allocates two. Error{shape, value}.
Tensor poincare_cdist(const Tensor& x, const Tensor& y, const Tensor& c);
Tensor lorentz_cdist(const Tensor& x, const Tensor& y, const Tensor& c);
Tensor klein_cdist(const Tensor& x, const Tensor& y, const Tensor& c);

/// Weighted midpoint of x [..., n, d], weights [..., n]: the weighted sum of the points in the
/// hyperboloid model, normalised onto it (the gyromidpoint of Ungar in the balls, the Lorentz
/// centroid of Law et al. 2019). c > 0 is a number, a 0-d tensor or one value per set. Computed in
/// f64 with error at most 2^-52 e^r for points at distance r from the origin and weights >= 0, then
/// rounded to the dtype of x. Error{shape, value}.
Tensor poincare_midpoint(const Tensor& x, const Tensor& weights, const Tensor& c);
Tensor lorentz_midpoint(const Tensor& x, const Tensor& weights, const Tensor& c);
Tensor klein_midpoint(const Tensor& x, const Tensor& weights, const Tensor& c);

/// Weighted Fréchet mean of x [..., n, d], positive weights [..., n]: the point that minimises the
/// weighted sum of squared distances. Operands as for midpoints. Solved in f64 in the Poincaré ball
/// by the iteration of Lou et al. 2020 and Newton's method; derivatives up to third order by
/// implicit differentiation. Error at most 2^-53 e^r for points at distance r from the origin. NaN
/// if there is no mean (no points, weights that sum to 0, NaN).
Tensor poincare_frechet_mean(const Tensor& x, const Tensor& weights, const Tensor& c);
Tensor lorentz_frechet_mean(const Tensor& x, const Tensor& weights, const Tensor& c);
Tensor klein_frechet_mean(const Tensor& x, const Tensor& weights, const Tensor& c);

}  // namespace gyre
