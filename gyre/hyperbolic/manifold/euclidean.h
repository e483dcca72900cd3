#pragma once
#include "gyre/hyperbolic/manifold/manifold.h"

namespace gyre::hyperbolic {

/// Euclidean space R^d: a baseline, and a factor of products. It has neither lambda nor conversions
/// to other models.
struct Euclidean final : Manifold {
  Euclidean();
};

}  // namespace gyre::hyperbolic
