#pragma once
#include "gyre/hyperbolic/manifold/manifold.h"

namespace gyre::hyperbolic {

/// R^d: what the others are compared with, and a part of products. It has no lambda and no other
/// models.
struct Euclidean final : Manifold {
  Euclidean();
};

}  // namespace gyre::hyperbolic
