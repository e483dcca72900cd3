#pragma once
#include "gyre/hyperbolic/manifold/manifold.h"

// The three models of the space of curvature -c (ball.h, lorentz.h, klein.h): each method is the
// model's op of that name along the last axis. c is a number or a tensor, which may be learned:
// one number, or one a row. It is read when the manifold is made; a learned one that leaves its
// range later gives NaN.

namespace gyre::hyperbolic {

/// Whether c is read when a manifold is made; not where it has been, or stands for slices of a
/// batch.
enum class CheckCurvature : bool { no, yes };

/// What the three have in common.
class Model : public Manifold {
 public:
  [[nodiscard]] const Tensor& c() const;

 protected:
  using Manifold::Manifold;
};

/// Points within c|x|^2 < 1; for c = 0 the plane, for c < 0 the sphere in stereographic
/// projection. Error{value} for a c that is not finite.
struct PoincareBall final : Model {
  explicit PoincareBall(const Tensor& c = 1.0, CheckCurvature check = CheckCurvature::yes);
};
/// Points of the hyperboloid by their space coordinates: every row is one. Error{value} unless c
/// is finite and above 0.
struct Lorentz final : Model {
  explicit Lorentz(const Tensor& c = 1.0, CheckCurvature check = CheckCurvature::yes);
};
/// Points within c|x|^2 < 1, whose geodesics are straight. Error{value} unless c is finite and
/// above 0.
struct Klein final : Model {
  explicit Klein(const Tensor& c = 1.0, CheckCurvature check = CheckCurvature::yes);
};

/// The c of a manifold that is one of these; else null.
const Tensor* curvature_of(const Manifold& manifold);

}  // namespace gyre::hyperbolic
