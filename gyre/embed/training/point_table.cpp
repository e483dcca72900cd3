#include "gyre/embed/training/point_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gyre/base/error.h"
#include "gyre/data/draw.h"
#include "gyre/embed/training/bodies.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

constexpr double kStart = 1e-3;  // bound of initial coordinates

constexpr void (*kPlace[])(double* row, double* space, int64_t dim) = {
#define GEOMETRY(space, Body) Body::place,
#include "gyre/embed/training/geometries.def"
#undef GEOMETRY
};

}  // namespace

double PointRows::distance(uint32_t a, uint32_t b) const {
  const double *x = (*this)[a], *y = (*this)[b];
  double square = 0;
  for (int64_t i = 0; i < dim; ++i) square += (x[i] - y[i]) * (x[i] - y[i]);
  if (geometry == Geometry::euclidean) return std::sqrt(square);
  return 2 * std::asinh(std::sqrt(square / (x[dim] * y[dim])));
}

PointTable::PointTable(Geometry geometry, int64_t nodes, int64_t dim, uint64_t seed)
    : PointTable(geometry, dim, [&] {
        std::vector<double> start(static_cast<size_t>(nodes * dim));
        for (size_t i = 0; i < start.size(); ++i) {
          const auto share = static_cast<double>(draw(seed, i) >> 11) * 0x1p-53;
          start[i] = kStart * (2 * share - 1);
        }
        return start;
      }()) {}

PointTable::PointTable(Geometry geometry, int64_t dim, std::span<const double> coordinates)
    : geometry_(geometry) {
  const int64_t nodes = static_cast<int64_t>(coordinates.size()) / dim,
                stride = whole_lines(dim + 2);
  std::vector<double> rows(static_cast<size_t>(nodes * stride));
  std::vector<double> space(coordinates.begin(), coordinates.end());
  for (int64_t node = 0; node < nodes; ++node) {
    const double* from = coordinates.data() + node * dim;
    double* to = rows.data() + node * stride;
    std::copy_n(from, dim, to);
    const double square = dot(from, from, dim);
    if (!std::isfinite(square) || (geometry == Geometry::poincare && square >= 1)) {
      throw Error(Code::value, "points",
                  fmt::format("point {} must be {}", node,
                              geometry == Geometry::poincare ? "in the unit ball" : "finite"));
    }
    kPlace[static_cast<size_t>(geometry)](to, space.data() + node * dim, dim);
  }
  const Device device = default_device();
  rows_ = slice(on_device(tensor(rows, {nodes, stride}), device), {1, 0, dim + 2});
  if (geometry == Geometry::lorentz) space_ = on_device(tensor(space, {nodes, dim}), device);
}

Tensor PointTable::coordinates() const {
  return gyre::clone(space_.defined() ? space_ : slice(rows_, {1, 0, dim()}));
}

PointRows PointTable::read() const { return {geometry_, dim(), to_vector<double>(rows_)}; }

PointTable PointTable::clone() const {
  return {geometry_, dim(), to_vector<double>(coordinates())};
}

}  // namespace gyre
