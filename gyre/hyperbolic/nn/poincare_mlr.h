#pragma once
#include "gyre/hyperbolic/nn/plane_layer.h"

namespace gyre::nn {

/// Multinomial logistic regression on the Poincaré ball: [..., in] to logits [..., out], the signed
/// distance to each class hyperplane times the norm of its normal there (Shimizu, Mukuta and Harada
/// 2021, "Hyperbolic neural networks++", eq. 6). The matrix product is in f64, where products of
/// f32 operands are exact: logits are accurate also near the hyperplanes, at every distance from
/// the origin. One matrix product, and one row kernel each for the points, the weight and the
/// result. Points far from the origin may be classified better with a smaller c than that of their
/// embedding: with c = 0.95, where no point of the unit disk is farther than 4.5, WordNet's mammals
/// at distance 12 were classified better than with c = 1 (see
/// docs/decisions/012-hyperbolic-layers.md). The hyperplanes are then not geodesic in the
/// embedding.
class PoincareMLR : public PlaneLayer {
 public:
  explicit PoincareMLR(const PlaneOptions& options, Generator* generator = nullptr)
      : PlaneLayer("PoincareMLR", options, generator) {}

 protected:
  Tensor run(const Tensor& x, const Tensor& c) const override;
};

}  // namespace gyre::nn
