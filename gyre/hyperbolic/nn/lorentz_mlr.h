#pragma once
#include "gyre/hyperbolic/nn/plane_layer.h"

namespace gyre::nn {

/// Multinomial logistic regression on the hyperboloid, in space coordinates: [..., in] to logits
/// [..., out], the signed distance to each class hyperplane times the norm of its normal
/// (Bdeir, Schwethelm and Landwehr 2024, "Fully hyperbolic convolutional neural networks", theorem
/// 2). The matrix product is in f64, as in PoincareMLR. One matrix product, and one row kernel each
/// for the points, the weight and the result.
class LorentzMLR : public PlaneLayer {
 public:
  explicit LorentzMLR(const PlaneOptions& options, Generator* generator = nullptr)
      : PlaneLayer("LorentzMLR", options, generator) {}

 protected:
  Tensor run(const Tensor& x, const Tensor& c) const override;
};

}  // namespace gyre::nn
