#pragma once
#include <cstdint>
#include <span>

#include "gyre/hyperbolic/manifold/manifold.h"

namespace gyre::hyperbolic {

/// A factor of a product: `dim` numbers of each row are a point of it.
struct Part {
  Manifold manifold;
  int64_t dim;
};

/// The product of spaces (Gu et al. 2019): a row is the points of the parts, one after the other.
/// Squared distances and inner products add. It has the methods that all parts have but lambda and
/// the conversions; numbers (r, t, weights) are shared by the parts. Error{value} for no parts and
/// for a dim below 1; Error{shape} from its methods for rows of another length than all dims.
class Product final : public Manifold {
 public:
  explicit Product(std::span<const Part> parts);
  [[nodiscard]] std::span<const Part> parts() const;
};

/// The parts of a manifold that is a product; else none.
std::span<const Part> parts_of(const Manifold& manifold);

}  // namespace gyre::hyperbolic
