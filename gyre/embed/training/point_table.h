#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "gyre/base/record.h"
#include "gyre/embed/training/embed_tile.h"
#include "gyre/embed/training/wide_vector.h"

namespace gyre {

/// Space of an embedding: the open unit ball of curvature -1 (Poincare); the hyperboloid of the
/// same curvature, by its spatial coordinates (Lorentz); Euclidean space.
enum class Geometry : uint8_t { poincare, lorentz, euclidean };
inline constexpr const char* kGeometryNames[] = {"poincare", "lorentz", "euclidean"};
template <>
inline constexpr std::span<const char* const> kChoices<Geometry> = kGeometryNames;

/// The points of an embedding, and Riemannian steps on their manifold. Both hyperbolic geometries
/// share the kernels, which read points of the ball with their defects: for the hyperboloid
/// u = s / (1 + t) with 1 - |u|^2 = 2 / (1 + t) and t = sqrt(1 + |s|^2), which is exact to
/// rounding.
class PointTable {
 public:
  /// Initial points near the origin, uniform in a cube and drawn with the seed. dim > 0.
  PointTable(Geometry geometry, int64_t nodes, int64_t dim, uint64_t seed);
  /// Points with these coordinates of the geometry, `dim` per node. Error{value} for one that is
  /// not finite or not in the ball.
  PointTable(Geometry geometry, int64_t dim, std::span<const double> coordinates);

  [[nodiscard]] Geometry geometry() const { return geometry_; }
  [[nodiscard]] int64_t nodes() const { return nodes_; }
  [[nodiscard]] int64_t dim() const { return dim_; }
  /// In the layout of the kernels.
  [[nodiscard]] PointRows rows() const { return {rows_.data(), dim_, stride_}; }
  /// Coordinates of a node in the ball or in Euclidean space, then the defect 1 - |x|^2, or 1.
  [[nodiscard]] const double* row(uint32_t node) const { return rows_.data() + node * stride_; }
  /// All points in the geometry's own coordinates, `dim` per node.
  [[nodiscard]] std::vector<double> coordinates() const;

  /// Geodesic distance of two nodes.
  [[nodiscard]] double distance(uint32_t a, uint32_t b) const;

  /// One step of Riemannian gradient descent; `gradient` is the Euclidean gradient of the row's
  /// coordinates. In the ball by the retraction x - rate (1 - |x|^2)^2 / 4 g, on the hyperboloid by
  /// the exponential map; the step is at most kLongestStep and points stay within kFurthest of the
  /// origin, beyond which differences in the ball lose precision.
  void step(uint32_t node, const double* gradient, double rate);

  static constexpr double kLongestStep = 1;  ///< hyperbolic length
  static constexpr double kFurthest = 16;    ///< hyperbolic distance

 private:
  void place_in_ball(double* row) const;
  void place_on_hyperboloid(double* space, double* row) const;
  [[nodiscard]] double* space_of(uint32_t node) { return space_.data() + node * dim_; }

  Geometry geometry_;
  int64_t nodes_, dim_, stride_;
  WideVector<double> rows_;
  std::vector<double> space_;  // spatial coordinates, for the hyperboloid
};

}  // namespace gyre
