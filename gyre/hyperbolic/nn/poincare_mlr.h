#pragma once
#include "gyre/hyperbolic/nn/plane_layer.h"

namespace gyre::nn {

/// Scores of classes for points of the Poincare ball: [..., in] to logits [..., out], the signed
/// distance from each class's hyperplane times the length of its normal there (Shimizu, Mukuta and
/// Harada 2021, "Hyperbolic neural networks++", eq. 6). The product is in f64, where it is exact
/// of f32 operands: logits are right to the last digits beside the planes as well, at every
/// distance from the origin. One product, and one row kernel at the points, at the weight and at
/// the result. Of points farther out than about 10 a gradient tells little: across a plane their
/// score turns within e^-10 of the circle. Draw such points nearer, by `poincare_scalar(r, x, c)`
/// with one r < 1 for all, before they are learned from (examples/hyperbolic_mlr.cpp).
class PoincareMLR : public PlaneLayer {
 public:
  explicit PoincareMLR(const PlaneOptions& options, Generator* generator = nullptr)
      : PlaneLayer("PoincareMLR", options, generator) {}

 protected:
  Tensor run(const Tensor& x, const Tensor& c) const override;
};

}  // namespace gyre::nn
