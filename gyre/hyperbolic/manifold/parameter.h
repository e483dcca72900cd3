#pragma once
#include "gyre/hyperbolic/manifold/manifold.h"
#include "gyre/nn/module.h"

namespace gyre::hyperbolic {

/// A parameter whose rows [..., d] are points of a manifold. Optimisers know it: those of
/// hyperbolic/optim/ step along the manifold, others refuse it. What ops make of it is an ordinary
/// tensor; Module::to keeps it what it is, of a curvature that the module casts too.
struct ManifoldParameter : Tensor {
  /// A leaf over the memory of x, or of a copy of it that lies in one piece. Error{dtype} unless x
  /// is f32 or f64; Error{value} for rows that are no points of the manifold.
  ManifoldParameter(const Tensor& x, const Manifold& manifold);
};

/// Points that are trained by a plain optimiser: z [..., d] in the tangent space of the origin
/// stands for exp0(z). Nothing bounds z, so that nothing has to be brought back. Error{value} for
/// a manifold without an origin.
class TangentParameter final : public nn::Module {
 public:
  /// Begins at points x. Errors as ManifoldParameter.
  TangentParameter(const Tensor& x, const Manifold& manifold);

  [[nodiscard]] Tensor operator()() const { return manifold_.exp0(z); }
  /// One result, of no inputs. Error{value} for others.
  Tensors forward(Inputs inputs) const override;
  void visit(nn::Visitor& visitor) override { visitor.parameter("z", z); }
  [[nodiscard]] const Manifold& manifold() const { return manifold_; }

  Tensor z;

 private:
  Manifold manifold_;
};

}  // namespace gyre::hyperbolic
