#pragma once
#include "gyre/base/record.h"
#include "gyre/nn/module.h"

namespace gyre {

namespace nn {
struct LayerDef;
extern const LayerDef curvature_layer;  ///< the layer table entry of Curvature
}  // namespace nn

struct CurvatureOptions {
  double c = 1, c_min = 0, c_max = 0;
  int64_t rows = 0;
};
GYRE_FIELDS(CurvatureOptions, GYRE_FIELD(c, "initial c"),
            GYRE_FIELD(c_min, "lower bound of c, used with c_max"),
            GYRE_FIELD(c_max, "upper bound of c; 0: unbounded"),
            GYRE_FIELD(rows, "number of curvatures, one per row; 0: a single one"));

namespace hyperbolic {

/// Learnable curvature c, parametrised by an unconstrained k: c = softplus(k), or with c_max
/// c = c_min + (c_max - c_min) sigmoid(k). 0-d or [rows]. A module without inputs; pass its output
/// to ops, or construct manifolds from it in each forward pass.
class Curvature final : public nn::Module {
 public:
  /// Error{value} in the name of `layer` unless c lies between the bounds, 0 <= c_min < c_max and
  /// rows >= 0.
  explicit Curvature(const CurvatureOptions& options = {}, const char* layer = "Curvature");
  /// For layers: c > 0 is `learned`, without bounds, or a constant without a parameter.
  Curvature(const char* layer, double c, bool learned);

  [[nodiscard]] Tensor operator()() const;
  /// Takes no inputs, returns c. Error{value} if given inputs.
  Tensors forward(Inputs inputs) const override;
  void visit(nn::Visitor& visitor) override {
    if (k.defined()) visitor.parameter("k", k);
  }
  /// Visited as the submodule "curvature" of a layer, if learned.
  void visit_part(nn::Visitor& visitor) {
    if (k.defined()) visitor.module("curvature", *this);
  }

  Tensor k;  ///< empty if c is a constant

 private:
  CurvatureOptions options_;
};

}  // namespace hyperbolic
}  // namespace gyre
