#pragma once
#include "gyre/hyperbolic/nn/curved_layer.h"

namespace gyre {

struct PoincareConvOptions {
  int64_t in = 0, out = 0;
  Shape kernel{}, stride{1}, padding{0};
  double c = 1;
  bool learn_c = false;
};
GYRE_FIELDS(PoincareConvOptions, GYRE_FIELD(in, "numbers a point of the input"),
            GYRE_FIELD(out, "numbers a point of the result"),
            GYRE_FIELD(kernel, "size of the windows"), GYRE_FIELD(stride, "distance of windows"),
            GYRE_FIELD(padding, "points of the origin around the image, on each side"),
            GYRE_CURVATURE_FIELDS);

namespace nn {

/// Convolution of points of the Poincare ball that lie along axis 1, as channels do: signals [n,
/// in, length] or images [n, in, height, breadth] to [n, out, ...] (Shimizu, Mukuta and Harada
/// 2021, "Hyperbolic neural networks++", sections 3.3 and 3.4). The points of a window are joined
/// by beta-concatenation - tangent vectors at the origin, each times B(k in / 2, 1/2) / B(in / 2,
/// 1/2) for k points, which keeps the expected distance from the origin - and go through the fully
/// connected layer (PoincareLinear) of weight [out, k in] and bias [out].
class PoincareConv : public CurvedLayer {
 public:
  void visit(Visitor& visitor) override;

  Tensor weight, bias;

 protected:
  /// Weight N(0, 1 / (2 k in out)), bias 0. Error{value} for sizes below 1, a kernel, stride or
  /// padding that does not fit, and for c.
  PoincareConv(const char* layer, const PoincareConvOptions& options, int axes,
               Generator* generator);
  Tensor run(const Tensor& x, const Tensor& c) const override;
  [[nodiscard]] int point_axis() const override { return 1; }

 private:
  const char* name_;
  Shape kernel_, stride_, padding_;  // a number an axis
  double share_;                     // what tangent vectors are multiplied by
};
class PoincareConv1d : public PoincareConv {
 public:
  explicit PoincareConv1d(const PoincareConvOptions& o, Generator* generator = nullptr)
      : PoincareConv("PoincareConv1d", o, 1, generator) {}
};
class PoincareConv2d : public PoincareConv {
 public:
  explicit PoincareConv2d(const PoincareConvOptions& o, Generator* generator = nullptr)
      : PoincareConv("PoincareConv2d", o, 2, generator) {}
};

}  // namespace nn
}  // namespace gyre
