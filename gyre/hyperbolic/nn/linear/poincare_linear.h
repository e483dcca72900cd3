#pragma once
#include "gyre/hyperbolic/nn/plane_layer.h"

namespace gyre::nn {

/// The fully connected layer between Poincare balls of Shimizu, Mukuta and Harada 2021
/// ("Hyperbolic neural networks++", eq. 7): [..., in] to [..., out]; number k of the result is at
/// the distance from the origin's plane across axis k that PoincareMLR scores for plane k. Results
/// are drawn inside as by poincare_project. Scores beyond 88 / sqrt(c) are NaN in f32. One product,
/// and one row kernel at the points, at the weight and at the result.
class PoincareLinear : public PlaneLayer {
 public:
  explicit PoincareLinear(const PlaneOptions& options, Generator* generator = nullptr)
      : PlaneLayer("PoincareLinear", options, generator) {}

 protected:
  Tensor run(const Tensor& x, const Tensor& c) const override;
};

}  // namespace gyre::nn
