#pragma once
#include "gyre/hyperbolic/nn/plane_layers.h"

namespace gyre {

struct PoincareConvOptions {
  int64_t in = 0, out = 0;
  Shape kernel{}, stride{1}, padding{0};
  double c = 1;
  bool learn_c = false;
};
GYRE_FIELDS(PoincareConvOptions,
            GYRE_FIELD(in, "dimension of the input points", .alias = "in_channels", .least = 1),
            GYRE_FIELD(out, "dimension of the output points", .alias = "out_channels", .least = 1),
            GYRE_FIELD(kernel, "kernel size", .alias = "kernel_size"), GYRE_FIELD(stride, "stride"),
            GYRE_FIELD(padding, "padding with the origin, on each side"), GYRE_CURVATURE_FIELDS);

struct MidpointPoolOptions {
  Shape kernel{}, stride{};
  double c = 1;
  bool learn_c = false;
};
GYRE_FIELDS(MidpointPoolOptions, GYRE_FIELD(kernel, "window size", .alias = "kernel_size"),
            GYRE_FIELD(stride, "stride; default: kernel"), GYRE_CURVATURE_FIELDS);

namespace nn {

/// Poincaré convolution: points of the Poincaré ball whose coordinates are the channels (axis 1),
/// signals [n, in, length] or images [n, in, height, breadth], to [n, out, ...] (Shimizu, Mukuta
/// and Harada 2021, "Hyperbolic neural networks++", sections 3.3 and 3.4). β-concatenation joins
/// the k points of a window (tangent vectors at the origin, each times B(k in / 2, 1/2) / B(in / 2,
/// 1/2), which keeps the expected distance from the origin), then a fully connected layer
/// (PoincareLinear) with weight [out, k in] and bias [out] follows.
class PoincareConv : public PlaneLayer {
 protected:
  /// Weight N(0, 1 / (2 k in out)), bias 0. Error{value} for sizes below 1, an invalid kernel,
  /// stride or padding, and unless c > 0.
  PoincareConv(const char* layer, const PoincareConvOptions& options, int axes,
               Generator* generator);
  Tensor run(const Tensor& x, const Tensor& c) const override;
  [[nodiscard]] int point_axis() const override { return 1; }

 private:
  const char* name_;
  Shape kernel_, stride_, padding_;  // one number per axis
  double share_;                     // scale of tangent vectors in β-concatenation
};
struct PoincareConv1d : PoincareConv {
  explicit PoincareConv1d(const PoincareConvOptions& o, Generator* generator = nullptr)
      : PoincareConv("PoincareConv1d", o, 1, generator) {}
};
struct PoincareConv2d : PoincareConv {
  explicit PoincareConv2d(const PoincareConvOptions& o, Generator* generator = nullptr)
      : PoincareConv("PoincareConv2d", o, 2, generator) {}
};

/// Gyromidpoint pooling: midpoints of windows of points of the Poincaré ball, whose coordinates are
/// the channels (axis 1): signals [n, width, length] or images [n, width, height, breadth], to the
/// same with smaller spatial axes.
class MidpointPool : public CurvedLayer {
 protected:
  /// Error{value} for a kernel or stride below 1 or with more than `axes` elements, and unless c >
  /// 0.
  MidpointPool(const char* layer, const MidpointPoolOptions& options, int axes);
  Tensor run(const Tensor& x, const Tensor& c) const override;
  [[nodiscard]] int point_axis() const override { return 1; }

 private:
  Shape kernel_, stride_;  // one number per axis
};
struct MidpointPool1d : MidpointPool {
  explicit MidpointPool1d(const MidpointPoolOptions& o) : MidpointPool("MidpointPool1d", o, 1) {}
};
struct MidpointPool2d : MidpointPool {
  explicit MidpointPool2d(const MidpointPoolOptions& o) : MidpointPool("MidpointPool2d", o, 2) {}
};

}  // namespace nn
}  // namespace gyre
