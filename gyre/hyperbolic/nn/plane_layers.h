#pragma once
#include "gyre/hyperbolic/nn/curved_layer.h"

namespace gyre {

/// Options of layers with hyperplanes as parameters.
struct PlaneOptions {
  int64_t in = 0, out = 0;
  double c = 1;
  bool learn_c = false;
};
GYRE_FIELDS(PlaneOptions,
            GYRE_FIELD(in, "dimension of the input points", .alias = "in_features", .least = 1),
            GYRE_FIELD(out, "output features, one hyperplane each", .alias = "out_features",
                       .least = 1),
            GYRE_CURVATURE_FIELDS);

namespace nn {

/// Base of layers with hyperplanes: weight [out, in] holds their normals at the origin, bias [out]
/// their offsets along the normals.
class PlaneLayer : public WeightedLayer {
 protected:
  enum class Form : uint8_t { poincare_mlr, lorentz_mlr, poincare_linear };

  /// Weight N(0, 1 / (2 in out)), bias 0, as Shimizu et al. 2021. Error{value} for sizes below 1
  /// and unless c > 0.
  PlaneLayer(const char* layer, Form form, const PlaneOptions& options, Generator* generator);
  /// For a layer that calls draw().
  PlaneLayer(const char* layer, Form form, double c, bool learn_c)
      : WeightedLayer(layer, c, learn_c), form_(form) {}
  void draw(int64_t in, int64_t out, Generator* generator);
  Tensor run(const Tensor& x, const Tensor& c) const override;

 private:
  Form form_;
};

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
struct PoincareMLR : PlaneLayer {
  explicit PoincareMLR(const PlaneOptions& options, Generator* generator = nullptr)
      : PlaneLayer("PoincareMLR", Form::poincare_mlr, options, generator) {}
};

/// Multinomial logistic regression on the hyperboloid, in space coordinates: [..., in] to logits
/// [..., out], the signed distance to each class hyperplane times the norm of its normal
/// (Bdeir, Schwethelm and Landwehr 2024, "Fully hyperbolic convolutional neural networks", theorem
/// 2). The matrix product is in f64, as in PoincareMLR. One matrix product, and one row kernel each
/// for the points, the weight and the result.
struct LorentzMLR : PlaneLayer {
  explicit LorentzMLR(const PlaneOptions& options, Generator* generator = nullptr)
      : PlaneLayer("LorentzMLR", Form::lorentz_mlr, options, generator) {}
};

/// Poincaré fully connected layer of Shimizu, Mukuta and Harada 2021 ("Hyperbolic neural
/// networks++", eq. 7): [..., in] to [..., out]; the signed distance of the result to the
/// hyperplane through the origin orthogonal to axis k is the PoincareMLR logit k. Results are
/// projected into the ball as by poincare_project. Logits beyond 88 / sqrt(c) give NaN in f32. One
/// matrix product, and one row kernel each for the points, the weight and the result.
struct PoincareLinear : PlaneLayer {
  explicit PoincareLinear(const PlaneOptions& options, Generator* generator = nullptr)
      : PlaneLayer("PoincareLinear", Form::poincare_linear, options, generator) {}
};

}  // namespace nn
}  // namespace gyre
