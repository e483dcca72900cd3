#pragma once
#include "gyre/embed/training/embed_tile.h"
#include "gyre/simd/math.h"

// Formulas of embeddings, which every device shares: losses and gradients over vectors V of any
// width, and the points of each geometry, one at a time.

namespace gyre {
namespace {

// power() of a target y is e^{-d}, up to a factor that all targets of x share. It sets slope, where
// slope (y - x) is the gradient of d with respect to y, in a curved space plus
// slope |x - y|^2 / b y.

// With S = |x - y|^2 / (a b) = sinh^2(d / 2), a and b being the defects of x and y, and
// Q = a b sqrt(S (1 + S)): e^{-d} = a b / (a b + 2 |x - y|^2 + 2 Q), and the gradient of d with
// respect to y is (2 / Q) ((y - x) + (|x - y|^2 / b) y).
struct HyperbolicPair {
  static constexpr bool curved = true;
  double a;

  template <class V>
  GYRE_INLINE V power(V squared, V b, V& slope) const {
    const V ab = V(a) * b, q = sqrt(squared * (ab + squared));
    slope = select(q > V(0.0), V(2.0) / q, V(0.0));
    return ab / (ab + V(2.0) * (squared + q));
  }
  GYRE_INLINE PairLoss loss(double sum, double first) const { return {sum / first, 0}; }
};

// d = |x - y|; powers are relative to that of the smallest distance, to avoid underflow.
struct EuclideanPair {
  static constexpr bool curved = false;
  double least, excess;  // the smallest distance, and what the parent's has above it

  template <class V>
  GYRE_INLINE V power(V squared, V, V& slope) const {
    const V d = sqrt(squared);
    slope = select(d > V(0.0), V(1.0) / d, V(0.0));
    return exp(V(least) - d);
  }
  GYRE_INLINE PairLoss loss(double sum, double) const { return {sum, excess}; }
};

inline constexpr double kLongestStep = 1;  // hyperbolic length
// Hyperbolic distance from the origin, beyond which differences in the ball lose precision.
inline constexpr double kFurthest = 16;
inline constexpr double kTanhOfHalf = 0.9999997749296758, kSinh = 4443055.26025388;  // of kFurthest
// A point projected to the limit is not projected again, whatever its last bit: loading saved
// coordinates gives the rows that were saved.
inline constexpr double kMargin = 1 + 1e-9;

GYRE_INLINE double dot(const double* x, const double* y, int64_t n) {
  double sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

// The Riemannian gradient is (defect / 2)^2 g, and the Riemannian norm of v is (2 / defect) |v|.
GYRE_INLINE double limited(double rate, double defect, double square) {
  const double unit = rate * defect / 2;
  return unit * unit * square > kLongestStep * kLongestStep
             ? kLongestStep / (__builtin_sqrt(square) * defect / 2)
             : rate;
}

// Spaces of embeddings. place() completes the row of a point (EmbedPlan::points) and moves it to
// within kFurthest; on the hyperboloid its coordinates are in `space`. step() is one of Riemannian
// gradient descent of at most kLongestStep; `gradient` is the Euclidean one of the row's
// coordinates.

/// The Poincare ball of curvature -1; steps by the retraction x - rate (1 - |x|^2)^2 / 4 g.
struct Ball {
  using Pair = HyperbolicPair;

  static GYRE_INLINE void place(double* row, double*, int64_t dim) {
    double square = dot(row, row, dim);
    if (square > kTanhOfHalf * kTanhOfHalf * kMargin) {
      const double scale = kTanhOfHalf / __builtin_sqrt(square);
      for (int64_t i = 0; i < dim; ++i) row[i] *= scale;
      square = dot(row, row, dim);
    }
    // Within kFurthest it is as precise as coordinates near the boundary allow.
    row[dim] = 1 - square;
    row[dim + 1] = 1 / row[dim];
  }
  static GYRE_INLINE void step(double* row, double*, int64_t dim, const double* gradient,
                               double rate) {
    const double defect = row[dim], square = dot(gradient, gradient, dim);
    const double scale = limited(rate, defect, square) * defect * defect / 4;
    for (int64_t i = 0; i < dim; ++i) row[i] -= scale * gradient[i];
    place(row, nullptr, dim);
  }
};

/// The hyperboloid of curvature -1, by its spatial coordinates s; steps by the exponential map.
/// Pairs are those of the ball: u = s / (1 + t), 1 - |u|^2 = 2 / (1 + t) and t = sqrt(1 + |s|^2)
/// are exact to rounding.
struct Hyperboloid {
  using Pair = HyperbolicPair;

  static GYRE_INLINE void place(double* row, double* space, int64_t dim) {
    double length = __builtin_sqrt(dot(space, space, dim));
    if (length > kSinh * kMargin) {
      for (int64_t i = 0; i < dim; ++i) space[i] *= kSinh / length;
      length = kSinh;
    }
    const double half = (1 + __builtin_hypot(1, length)) / 2;  // (1 + t) / 2
    for (int64_t i = 0; i < dim; ++i) row[i] = space[i] / (2 * half);
    row[dim] = 1 / half;
    row[dim + 1] = half;
  }
  static GYRE_INLINE void step(double* row, double* space, int64_t dim, const double* gradient,
                               double rate) {
    const double defect = row[dim], square = dot(gradient, gradient, dim);
    rate = limited(rate, defect, square);
    const double length = rate * __builtin_sqrt(square) * defect / 2;
    const double grow = __builtin_cosh(length);
    const double turn = length > 0 ? __builtin_sinh(length) / length : 1;
    const double inner = dot(row, gradient, dim);
    for (int64_t i = 0; i < dim; ++i) {
      // the tangent vector -rate (defect / 2)^2 g of the ball, mapped to the hyperboloid
      const double tangent = -rate * (defect / 2 * gradient[i] + inner * row[i]);
      space[i] = grow * space[i] + turn * tangent;
    }
    place(row, space, dim);
  }
};

/// Euclidean space.
struct Flat {
  using Pair = EuclideanPair;

  static GYRE_INLINE void place(double* row, double*, int64_t dim) { row[dim] = row[dim + 1] = 1; }
  static GYRE_INLINE void step(double* row, double*, int64_t dim, const double* gradient,
                               double rate) {
    for (int64_t i = 0; i < dim; ++i) row[i] -= rate * gradient[i];
  }
};

}  // namespace
}  // namespace gyre
