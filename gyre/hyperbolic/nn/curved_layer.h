#pragma once
#include "gyre/hyperbolic/manifold/curvature.h"
#include "gyre/nn/layer.h"
#include "gyre/nn/layer_def.h"

namespace gyre::nn {

/// A layer of one tensor whose points lie in a space of curvature -c; c is a number or, if it is
/// learned, that of its part "curvature".
class CurvedLayer : public Layer {
 public:
  /// The result of run(). Error{value} where a row of it begins with NaN: a row of x is no point of
  /// the space, or a parameter is not a number. In a batch of vmap it stays NaN.
  Tensor operator()(const Tensor& x) const final;
  void visit(Visitor& visitor) override { curvature_.visit_part(visitor); }
  [[nodiscard]] Tensor c() const { return curvature_(); }

 protected:
  /// Error{value} of `layer` unless c is finite and above 0.
  CurvedLayer(const char* layer, double c, bool learned)
      : name_(layer), curvature_(layer, c, learned) {}
  virtual Tensor run(const Tensor& x, const Tensor& c) const = 0;
  /// The axis of the result that its points lie along.
  [[nodiscard]] virtual int point_axis() const { return -1; }

 private:
  const char* name_;
  hyperbolic::Curvature curvature_;
};

/// What the options of these layers say of the curvature.
#define GYRE_CURVATURE_FIELDS                             \
  GYRE_FIELD(c, "the space has curvature -c, c above 0"), \
      GYRE_FIELD(learn_c, "c is learned, by a parameter curvature.k; it begins as the number")

#define LAYER(name) extern const LayerDef name##_layer;
#include "gyre/hyperbolic/nn/layers.def"
#undef LAYER

}  // namespace gyre::nn
