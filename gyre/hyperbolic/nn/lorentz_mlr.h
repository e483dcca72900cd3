#pragma once
#include "gyre/hyperbolic/nn/plane_layer.h"

namespace gyre::nn {

/// Scores of classes for points of the hyperboloid, by their space coordinates: [..., in] to logits
/// [..., out], the signed distance from each class's hyperplane times the length of its normal
/// (Bdeir, Schwethelm and Landwehr 2024, "Fully hyperbolic convolutional neural networks", theorem
/// 2). The product is in f64, as PoincareMLR's. One product, and one row kernel at the points, at
/// the weight and at the result.
class LorentzMLR : public PlaneLayer {
 public:
  explicit LorentzMLR(const PlaneOptions& options, Generator* generator = nullptr)
      : PlaneLayer("LorentzMLR", options, generator) {}

 protected:
  Tensor run(const Tensor& x, const Tensor& c) const override;
};

}  // namespace gyre::nn
