#pragma once
#include <cstdint>
#include <span>

#include "gyre/hyperbolic/manifold/manifold.h"

namespace gyre::hyperbolic {

/// A factor of a product; its points take `dim` elements of each row.
struct Part {
  Manifold manifold;
  int64_t dim;
};

/// Product manifold (Gu et al. 2019): a row concatenates the points of the parts. Squared distances
/// and inner products add. It has the methods that all parts have, except lambda and the
/// conversions; numbers (r, t, weights) are shared by the parts. Error{value} without parts or for
/// a dim below 1; methods throw Error{shape} if the row length is not the sum of dims.
class Product final : public Manifold {
 public:
  explicit Product(std::span<const Part> parts);
  [[nodiscard]] std::span<const Part> parts() const;
};

/// The parts of a product; empty for other manifolds.
std::span<const Part> parts_of(const Manifold& manifold);

}  // namespace gyre::hyperbolic
