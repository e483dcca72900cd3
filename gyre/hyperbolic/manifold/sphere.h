#pragma once
#include "gyre/hyperbolic/manifold/manifold.h"

namespace gyre::hyperbolic {

/// The unit sphere in R^d: points are rows of length 1, tangent vectors at x are rows at right
/// angles to x. It has no origin, so no methods that start there or map the tangent space there,
/// and no sum; and no frechet_mean, which is one point only within half of a sphere. At points
/// opposite to each other, log, transport and gradients of the distance are not defined and not
/// finite.
struct Sphere final : Manifold {
  Sphere();
};

}  // namespace gyre::hyperbolic
