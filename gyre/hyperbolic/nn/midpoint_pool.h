#pragma once
#include "gyre/hyperbolic/nn/curved_layer.h"

namespace gyre {

struct MidpointPoolOptions {
  Shape kernel{}, stride{};
  double c = 1;
  bool learn_c = false;
};
GYRE_FIELDS(MidpointPoolOptions, GYRE_FIELD(kernel, "size of the windows"),
            GYRE_FIELD(stride, "distance of windows; none: their size"), GYRE_CURVATURE_FIELDS);

namespace nn {

/// Midpoints of windows of points of the Poincare ball that lie along axis 1, as channels do:
/// signals [n, width, length] or images [n, width, height, breadth] to the same with fewer places.
class MidpointPool : public CurvedLayer {
 protected:
  /// Error{value} for a kernel or stride below 1 or of more than `axes` numbers, and for c.
  MidpointPool(const char* layer, const MidpointPoolOptions& options, int axes);
  Tensor run(const Tensor& x, const Tensor& c) const override;
  [[nodiscard]] int point_axis() const override { return 1; }

 private:
  Shape kernel_, stride_;  // a number an axis
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
