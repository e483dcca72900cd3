#pragma once
#include "gyre/hyperbolic/nn/curved_layer.h"

namespace gyre {

struct HyperButterflyOptions {
  int64_t width = 0, levels = 0;
  double c = 1;
  bool learn_c = false;
};
GYRE_FIELDS(HyperButterflyOptions,
            GYRE_FIELD(width, "dimension of the points, a power of two, at least 2"),
            GYRE_FIELD(levels, "number of butterfly factors; 0: log2(width)", .least = 0),
            GYRE_CURVATURE_FIELDS);

namespace nn {

/// Butterfly linear map of the Poincaré ball: exp0(B_L ... B_1 log0(x)) on the last axis, projected
/// into the ball as by poincare_project. B_l (Dao et al. 2019, "Learning fast algorithms for linear
/// transforms using butterfly factorizations") multiplies pairs of coordinates with stride
/// 2^((l - 1) mod log2 width) by 2x2 blocks: 2 width parameters per factor and 2 width log2(width)
/// multiplications per point instead of width^2. weight [levels, width / 2, 2, 2]; block b of a
/// factor with stride s acts on coordinates (b / s) 2 s + b mod s and that plus s.
class HyperButterfly : public CurvedLayer {
 public:
  /// Blocks are initialised as rotations by angles uniform within pi. Error{value} unless width is
  /// a power of two, levels >= 0 and c > 0.
  explicit HyperButterfly(const HyperButterflyOptions& options, Generator* generator = nullptr);
  void visit(Visitor& visitor) override;

  Tensor weight;

 protected:
  /// Error{shape} for points of another dimension.
  Tensor run(const Tensor& x, const Tensor& c) const override;
};

}  // namespace nn
}  // namespace gyre
