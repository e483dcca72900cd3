#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "gyre/embed/training/embed_step.h"

namespace gyre {

/// Points of an embedding on the host.
struct PointRows {
  Geometry geometry;
  int64_t dim;
  /// Per node its coordinates in the ball or in Euclidean space, then the defect b = 1 - |x|^2 and
  /// 1 / b, or 1 and 1.
  std::vector<double> values;

  [[nodiscard]] const double* operator[](uint32_t node) const {
    return values.data() + node * (dim + 2);
  }
  /// Geodesic distance of two nodes.
  [[nodiscard]] double distance(uint32_t a, uint32_t b) const;
};

/// The points of an embedding on the default device; copies share memory. Both hyperbolic
/// geometries are trained as points of the ball with their defects.
class PointTable {
 public:
  /// Initial points near the origin, uniform in a cube and drawn with the seed. dim > 0.
  PointTable(Geometry geometry, int64_t nodes, int64_t dim, uint64_t seed);
  /// Points with these coordinates of the geometry, `dim` per node. Error{value} for one that is
  /// not finite or not in the ball.
  PointTable(Geometry geometry, int64_t dim, std::span<const double> coordinates);

  [[nodiscard]] Geometry geometry() const { return geometry_; }
  [[nodiscard]] int64_t nodes() const { return rows_.size(0); }
  [[nodiscard]] int64_t dim() const { return rows_.size(1) - 2; }
  /// The operands of embed_step_of() [nodes, dim + 2], with the values of PointRows, and [nodes,
  /// dim], which is empty unless on the hyperboloid.
  [[nodiscard]] const Tensor& rows() const { return rows_; }
  [[nodiscard]] const Tensor& space() const { return space_; }
  /// A copy of all points in the geometry's own coordinates, f64 [nodes, dim].
  [[nodiscard]] Tensor coordinates() const;
  [[nodiscard]] PointRows read() const;
  /// A table with memory of its own.
  [[nodiscard]] PointTable clone() const;

 private:
  Geometry geometry_;
  Tensor rows_, space_;
};

}  // namespace gyre
