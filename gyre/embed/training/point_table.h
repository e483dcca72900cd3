#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "gyre/base/record.h"
#include "gyre/embed/training/embed_tile.h"
#include "gyre/embed/training/wide_vector.h"

namespace gyre {

/// Where the points of an embedding lie: the open unit ball of curvature -1; the hyperboloid of the
/// same curvature, by its space coordinates; Euclidean space.
enum class Geometry : uint8_t { poincare, lorentz, euclidean };
inline constexpr const char* kGeometryNames[] = {"poincare", "lorentz", "euclidean"};
template <>
inline constexpr std::span<const char* const> kChoices<Geometry> = kGeometryNames;

/// The points of an embedding, and steps that stay on their manifold. The two hyperbolic geometries
/// share the kernels, which read points of the ball with their defects: of the hyperboloid
/// u = s / (1 + t) with 1 - |u|^2 = 2 / (1 + t) and t = sqrt(1 + |s|^2), which loses no digit.
class PointTable {
 public:
  /// Points near the origin, uniform in a cube and drawn by the seed. dim > 0.
  PointTable(Geometry geometry, int64_t nodes, int64_t dim, uint64_t seed);
  /// Points with these coordinates, `dim` a node, in the geometry's own. Error{value} for one that
  /// is not finite or not in the ball.
  PointTable(Geometry geometry, int64_t dim, std::span<const double> coordinates);

  [[nodiscard]] Geometry geometry() const { return geometry_; }
  [[nodiscard]] int64_t nodes() const { return nodes_; }
  [[nodiscard]] int64_t dim() const { return dim_; }
  /// As the kernels read them.
  [[nodiscard]] PointRows rows() const { return {rows_.data(), dim_, stride_}; }
  /// The coordinates of a node in the ball, or in Euclidean space; then the defect 1 - |x|^2, or 1.
  [[nodiscard]] const double* row(uint32_t node) const { return rows_.data() + node * stride_; }
  /// All coordinates in the geometry's own, `dim` a node.
  [[nodiscard]] std::vector<double> coordinates() const;

  /// How far two nodes are from each other.
  [[nodiscard]] double distance(uint32_t a, uint32_t b) const;

  /// One step of Riemannian gradient descent; `gradient` is that with respect to the row's
  /// coordinates. In the ball by the retraction x - rate (1 - |x|^2)^2 / 4 g, on the hyperboloid by
  /// the exponential map, neither further than kLongestStep; points stay within kFurthest of the
  /// origin, beyond which differences in the ball lose their digits.
  void step(uint32_t node, const double* gradient, double rate);

  static constexpr double kLongestStep = 1;  ///< in hyperbolic length
  static constexpr double kFurthest = 16;    ///< hyperbolic distance

 private:
  void place_in_ball(double* row) const;
  void place_on_hyperboloid(double* space, double* row) const;
  [[nodiscard]] double* space_of(uint32_t node) { return space_.data() + node * dim_; }

  Geometry geometry_;
  int64_t nodes_, dim_, stride_;
  WideVector<double> rows_;
  std::vector<double> space_;  // of the hyperboloid
};

}  // namespace gyre
