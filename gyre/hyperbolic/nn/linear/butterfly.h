#pragma once
#include "gyre/hyperbolic/nn/curved_layer.h"

namespace gyre {

struct HyperButterflyOptions {
  int64_t width = 0, levels = 0;
  double c = 1;
  bool learn_c = false;
};
GYRE_FIELDS(HyperButterflyOptions,
            GYRE_FIELD(width, "numbers a point, a power of two of 2 or more"),
            GYRE_FIELD(levels, "factors of the map; 0: as many as join every number to every one"),
            GYRE_CURVATURE_FIELDS);

namespace nn {

/// A linear map of the ball by sparse factors: exp0(B_L ... B_1 log0(x)) on the last axis, drawn
/// inside as by poincare_project. B_l (Dao et al. 2019, "Learning fast algorithms for linear
/// transforms using butterfly factorizations") joins numbers that lie 2^((l - 1) mod log2 width)
/// apart in pairs, by a 2x2 block each: 2 width numbers a factor, and so 2 width log2(width)
/// products a point in place of width^2. weight [levels, width / 2, 2, 2]; block b of a factor with
/// stride s is of the numbers (b / s) 2 s + b mod s and s further.
class HyperButterfly : public CurvedLayer {
 public:
  /// Blocks are rotations by angles uniform within pi. Error{value} for a width that is no power of
  /// two, for levels below 0 and for c.
  explicit HyperButterfly(const HyperButterflyOptions& options, Generator* generator = nullptr);
  void visit(Visitor& visitor) override;

  Tensor weight;

 protected:
  /// Error{shape} for points of another width.
  Tensor run(const Tensor& x, const Tensor& c) const override;
};

}  // namespace nn
}  // namespace gyre
