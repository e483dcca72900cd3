#pragma once
#include "gyre/hyperbolic/nn/curved_layer.h"

namespace gyre {

struct MidpointPoolOptions {
  Shape kernel{}, stride{};
  double c = 1;
  bool learn_c = false;
};
GYRE_FIELDS(MidpointPoolOptions, GYRE_FIELD(kernel, "window size", .alias = "kernel_size"),
            GYRE_FIELD(stride, "stride; default: kernel"), GYRE_CURVATURE_FIELDS);

namespace nn {

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
class MidpointPool1d : public MidpointPool {
 public:
  explicit MidpointPool1d(const MidpointPoolOptions& o) : MidpointPool("MidpointPool1d", o, 1) {}
};
class MidpointPool2d : public MidpointPool {
 public:
  explicit MidpointPool2d(const MidpointPoolOptions& o) : MidpointPool("MidpointPool2d", o, 2) {}
};

}  // namespace nn
}  // namespace gyre
