#pragma once
#include "gyre/hyperbolic/manifold/manifold.h"

// The three models of hyperbolic space of curvature -c (ball.h, lorentz.h, klein.h): each method is
// the model's op of that name along the last axis. c is a number or a (learnable) tensor, one value
// or one per row. Its range is checked at construction, inside vmap() for the whole batch; a
// learned c that leaves it later gives NaN.

namespace gyre::hyperbolic {

/// Whether to check the range of c at construction; no: it has been checked.
enum class CheckCurvature : bool { no, yes };

/// Base of the three models.
class Model : public Manifold {
 public:
  [[nodiscard]] const Tensor& c() const;

 protected:
  using Manifold::Manifold;
};

/// Poincaré ball: points with c|x|^2 < 1; c = 0 is Euclidean space, c < 0 the sphere in
/// stereographic projection. Error{value} unless c is finite.
struct PoincareBall final : Model {
  explicit PoincareBall(const Tensor& c = 1.0, CheckCurvature check = CheckCurvature::yes);
};
/// Hyperboloid (Lorentz model) in space coordinates: every row is a point. Error{value} unless c is
/// finite and above 0.
struct Lorentz final : Model {
  explicit Lorentz(const Tensor& c = 1.0, CheckCurvature check = CheckCurvature::yes);
};
/// Klein ball: points with c|x|^2 < 1, geodesics are straight. Error{value} unless c is finite and
/// above 0.
struct Klein final : Model {
  explicit Klein(const Tensor& c = 1.0, CheckCurvature check = CheckCurvature::yes);
};

/// The c of one of these models; null for other manifolds.
const Tensor* curvature_of(const Manifold& manifold);

}  // namespace gyre::hyperbolic
