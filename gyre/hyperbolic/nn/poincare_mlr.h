#pragma once
#include "gyre/hyperbolic/nn/plane_layer.h"

namespace gyre::nn {

/// Scores of classes for points of the Poincare ball: [..., in] to logits [..., out], the signed
/// distance from each class's hyperplane times the length of its normal there (Shimizu, Mukuta and
/// Harada 2021, "Hyperbolic neural networks++", eq. 6). The product is in f64, where it is exact
/// of f32 operands: logits are right to the last digits beside the planes as well, at every
/// distance from the origin. One product, and one row kernel at the points, at the weight and at
/// the result. Points far out may be learned better with a smaller c than that of their embedding:
/// by c = 0.95, to which no point of the unit disk is farther than 4.5, WordNet's mammals 12 from
/// the origin were told better than by c = 1 (figures are in
/// docs/decisions/012-hyperbolic-layers.md). The planes are then no geodesics of the embedding.
class PoincareMLR : public PlaneLayer {
 public:
  explicit PoincareMLR(const PlaneOptions& options, Generator* generator = nullptr)
      : PlaneLayer("PoincareMLR", options, generator) {}

 protected:
  Tensor run(const Tensor& x, const Tensor& c) const override;
};

}  // namespace gyre::nn
