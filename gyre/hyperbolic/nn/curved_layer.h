#pragma once
#include "gyre/hyperbolic/manifold/curvature.h"
#include "gyre/nn/layer.h"
#include "gyre/nn/layer_def.h"

namespace gyre::nn {

/// A layer with one input, on points of a space of curvature -c; c is a constant or, if learned,
/// the submodule "curvature".
class CurvedLayer : public Layer {
 public:
  /// The result of run(). Error{value} if a row of it begins with NaN: a row of x is not a point of
  /// the space, or a parameter is NaN. Inside vmap() the whole batch is checked.
  Tensor operator()(const Tensor& x) const final;
  void visit(Visitor& visitor) override { curvature_.visit_part(visitor); }
  [[nodiscard]] Tensor c() const { return curvature_(); }

 protected:
  /// Error{value} in the name of `layer` unless c is finite and above 0.
  CurvedLayer(const char* layer, double c, bool learned)
      : name_(layer), curvature_(layer, c, learned) {}
  virtual Tensor run(const Tensor& x, const Tensor& c) const = 0;
  /// The axis of the result that holds the coordinates of points.
  [[nodiscard]] virtual int point_axis() const { return -1; }

 private:
  const char* name_;
  hyperbolic::Curvature curvature_;
};

/// One with the parameters weight and bias.
class WeightedLayer : public CurvedLayer {
 public:
  void visit(Visitor& visitor) override {
    visitor.parameter("weight", weight);
    visitor.parameter("bias", bias);
    CurvedLayer::visit(visitor);
  }

  Tensor weight, bias;

 protected:
  using CurvedLayer::CurvedLayer;
};

/// Options of these layers for the curvature.
#define GYRE_CURVATURE_FIELDS                                  \
  GYRE_FIELD(c, "c > 0, negative of the sectional curvature"), \
      GYRE_FIELD(learn_c,                                      \
                 "learnable c, with the given c as initial value (parameter curvature.k)")

#define LAYER(name) extern const LayerDef name##_layer;
#include "gyre/hyperbolic/nn/layers.def"
#undef LAYER

}  // namespace gyre::nn
