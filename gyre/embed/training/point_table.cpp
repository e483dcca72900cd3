#include "gyre/embed/training/point_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gyre/base/error.h"
#include "gyre/data/draw.h"

namespace gyre {
namespace {

constexpr double kStart = 1e-3;  // bound of initial coordinates
// A point projected to the limit is not projected again, whatever its last bit: loading saved
// coordinates gives the rows that were saved.
constexpr double kMargin = 1 + 1e-9;

double squares(const double* x, int64_t n) {
  double sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += x[i] * x[i];
  return sum;
}

}  // namespace

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
    : geometry_(geometry),
      nodes_(static_cast<int64_t>(coordinates.size()) / dim),
      dim_(dim),
      stride_((dim + 2 + 7) / 8 * 8),
      rows_(static_cast<size_t>(nodes_ * stride_)) {
  if (geometry == Geometry::lorentz) space_.assign(coordinates.begin(), coordinates.end());
  for (int64_t node = 0; node < nodes_; ++node) {
    const double* from = coordinates.data() + node * dim;
    double* to = rows_.data() + node * stride_;
    std::copy_n(from, dim, to);
    const double square = squares(from, dim);
    if (!std::isfinite(square) || (geometry == Geometry::poincare && square >= 1)) {
      throw Error(Code::value, "points",
                  fmt::format("point {} must be {}", node,
                              geometry == Geometry::poincare ? "in the unit ball" : "finite"));
    }
    if (geometry == Geometry::poincare) place_in_ball(to);
    if (geometry == Geometry::lorentz) place_on_hyperboloid(space_.data() + node * dim, to);
    if (geometry == Geometry::euclidean) to[dim] = to[dim + 1] = 1;
  }
}

void PointTable::place_in_ball(double* row) const {
  static const double furthest = std::tanh(kFurthest / 2);
  double square = squares(row, dim_);
  if (square > furthest * furthest * kMargin) {
    const double scale = furthest / std::sqrt(square);
    for (int64_t i = 0; i < dim_; ++i) row[i] *= scale;
    square = squares(row, dim_);
  }
  // Within kFurthest it is as precise as coordinates near the boundary allow.
  row[dim_] = 1 - square;
  row[dim_ + 1] = 1 / row[dim_];
}

void PointTable::place_on_hyperboloid(double* space, double* row) const {
  static const double furthest = std::sinh(kFurthest);
  double length = std::sqrt(squares(space, dim_));
  if (length > furthest * kMargin) {
    for (int64_t i = 0; i < dim_; ++i) space[i] *= furthest / length;
    length = furthest;
  }
  const double half = (1 + std::hypot(1, length)) / 2;  // (1 + t) / 2
  for (int64_t i = 0; i < dim_; ++i) row[i] = space[i] / (2 * half);
  row[dim_] = 1 / half;
  row[dim_ + 1] = half;
}

std::vector<double> PointTable::coordinates() const {
  if (geometry_ == Geometry::lorentz) return space_;
  std::vector<double> all;
  all.reserve(static_cast<size_t>(nodes_ * dim_));
  for (uint32_t node = 0; node < nodes_; ++node) {
    all.insert(all.end(), row(node), row(node) + dim_);
  }
  return all;
}

double PointTable::distance(uint32_t a, uint32_t b) const {
  const double *x = row(a), *y = row(b);
  double square = 0;
  for (int64_t i = 0; i < dim_; ++i) square += (x[i] - y[i]) * (x[i] - y[i]);
  if (geometry_ == Geometry::euclidean) return std::sqrt(square);
  return 2 * std::asinh(std::sqrt(square / (x[dim_] * y[dim_])));
}

void PointTable::step(uint32_t node, const double* gradient, double rate) {
  double* x = rows_.data() + node * stride_;
  if (geometry_ == Geometry::euclidean) {
    for (int64_t i = 0; i < dim_; ++i) x[i] -= rate * gradient[i];
    return;
  }
  // The Riemannian gradient is (defect / 2)^2 g, and the Riemannian norm of v is (2 / defect) |v|.
  const double defect = x[dim_], unit = rate * defect / 2, square = squares(gradient, dim_);
  if (unit * unit * square > kLongestStep * kLongestStep) {
    rate = kLongestStep / (std::sqrt(square) * defect / 2);
  }
  if (geometry_ == Geometry::poincare) {
    const double scale = rate * defect * defect / 4;
    for (int64_t i = 0; i < dim_; ++i) x[i] -= scale * gradient[i];
    return place_in_ball(x);
  }
  const double length = rate * std::sqrt(square) * defect / 2;
  const double grow = std::cosh(length), turn = length > 0 ? std::sinh(length) / length : 1;
  double inner = 0;
  for (int64_t i = 0; i < dim_; ++i) inner += x[i] * gradient[i];
  double* space = space_of(node);
  for (int64_t i = 0; i < dim_; ++i) {
    // the tangent vector -rate (defect / 2)^2 g of the ball, mapped to the hyperboloid
    const double tangent = -rate * (defect / 2 * gradient[i] + inner * x[i]);
    space[i] = grow * space[i] + turn * tangent;
  }
  place_on_hyperboloid(space, x);
}

}  // namespace gyre
