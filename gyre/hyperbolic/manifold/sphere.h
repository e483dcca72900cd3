#pragma once
#include "gyre/hyperbolic/manifold/manifold.h"

namespace gyre::hyperbolic {

/// Unit sphere in R^d: points are rows of norm 1, tangent vectors at x are orthogonal to x. It has
/// no origin, hence no exp0, log0, add or other methods that need one; and no frechet_mean, which
/// is unique only within a hemisphere. At antipodal points log, transport and gradients of the
/// distance are undefined and not finite.
struct Sphere final : Manifold {
  Sphere();
};

}  // namespace gyre::hyperbolic
