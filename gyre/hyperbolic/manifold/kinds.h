#pragma once
#include <span>
#include <string_view>

#include "gyre/hyperbolic/manifold/manifold.h"
#include "gyre/hyperbolic/manifold/models.h"

namespace gyre::hyperbolic {

/// A manifold as data, for everything that makes one by name; products are made of others
/// (product.h).
struct ManifoldKind {
  const char *name, *doc;
  bool curved;  ///< takes c
  /// `c` is not looked at where the kind is not curved. Errors as the manifold.
  Manifold (*make)(const Tensor& c, CheckCurvature check);
};
std::span<const ManifoldKind> manifold_kinds();
/// The kind of that name. Error{value} naming those there are.
const ManifoldKind& manifold_kind(std::string_view name);

}  // namespace gyre::hyperbolic
