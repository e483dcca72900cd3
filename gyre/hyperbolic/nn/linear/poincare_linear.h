#pragma once
#include "gyre/hyperbolic/nn/plane_layer.h"

namespace gyre::nn {

/// Poincaré fully connected layer of Shimizu, Mukuta and Harada 2021 ("Hyperbolic neural
/// networks++", eq. 7): [..., in] to [..., out]; the signed distance of the result to the
/// hyperplane through the origin orthogonal to axis k is the PoincareMLR logit k. Results are
/// projected into the ball as by poincare_project. Logits beyond 88 / sqrt(c) give NaN in f32. One
/// matrix product, and one row kernel each for the points, the weight and the result.
class PoincareLinear : public PlaneLayer {
 public:
  explicit PoincareLinear(const PlaneOptions& options, Generator* generator = nullptr)
      : PlaneLayer("PoincareLinear", options, generator) {}

 protected:
  Tensor run(const Tensor& x, const Tensor& c) const override;
};

}  // namespace gyre::nn
