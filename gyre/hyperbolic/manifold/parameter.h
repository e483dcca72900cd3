#pragma once
#include "gyre/hyperbolic/manifold/manifold.h"
#include "gyre/nn/module.h"

namespace gyre::hyperbolic {

/// A parameter whose rows [..., d] are points of a manifold. Riemannian optimisers
/// (hyperbolic/optim/) update it along the manifold, others refuse it. Ops on it return ordinary
/// tensors; Module::to keeps it a ManifoldParameter and casts its curvature with the module.
struct ManifoldParameter : Tensor {
  /// A leaf that shares the memory of x, or of a contiguous copy. Error{dtype} unless x is f32 or
  /// f64; Error{value} for rows that are not points of the manifold.
  ManifoldParameter(const Tensor& x, const Manifold& manifold);
};

/// Points trained by a Euclidean optimiser: exp0(z) for z [..., d] in the tangent space at the
/// origin. z is unconstrained, so no projection is needed. Error{value} for a manifold without an
/// origin.
class TangentParameter final : public nn::Module {
 public:
  /// Initialised at points x. Errors as ManifoldParameter.
  TangentParameter(const Tensor& x, const Manifold& manifold);

  [[nodiscard]] Tensor operator()() const { return manifold_.exp0(z); }
  /// Takes no inputs, returns the points. Error{value} if given inputs.
  Tensors forward(Inputs inputs) const override;
  void visit(nn::Visitor& visitor) override { visitor.parameter("z", z); }
  [[nodiscard]] const Manifold& manifold() const { return manifold_; }

  Tensor z;

 private:
  Manifold manifold_;
};

}  // namespace gyre::hyperbolic
