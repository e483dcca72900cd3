#pragma once
#include <span>
#include <string_view>

#include "gyre/hyperbolic/manifold/manifold.h"
#include "gyre/hyperbolic/manifold/models.h"

namespace gyre::hyperbolic {

/// A manifold that can be constructed by name; for products see product.h.
struct ManifoldKind {
  const char *name, *doc;
  bool curved;  ///< has a curvature c
  /// `c` is ignored unless `curved`. Errors of the constructor.
  Manifold (*make)(const Tensor& c, CheckCurvature check);
};
std::span<const ManifoldKind> manifold_kinds();
/// The kind of that name. Error{value} listing the known names.
const ManifoldKind& manifold_kind(std::string_view name);

}  // namespace gyre::hyperbolic
