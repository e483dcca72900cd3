#pragma once
#include "gyre/base/philox.h"
#include "gyre/nn/layer.h"

namespace gyre {

struct LinearOptions {
  int64_t in = 0, out = 0;
  bool bias = true;
};
GYRE_FIELDS(LinearOptions,
            GYRE_FIELD(in, "size of the last input axis", .alias = "in_features", .least = 1),
            GYRE_FIELD(out, "size of the last output axis", .alias = "out_features", .least = 1),
            GYRE_FIELD(bias, "add a learned bias"));

namespace nn {

/// Affine map x Wᵀ + b of the last axis: [..., in] to [..., out]; weight [out, in], bias [out].
class Linear : public Layer {
 public:
  /// Weight and bias uniform in [-1 / sqrt(in), 1 / sqrt(in)], as in PyTorch. Error{value} for
  /// sizes below 1.
  explicit Linear(const LinearOptions& options, Generator* generator = nullptr);
  Linear(int64_t in, int64_t out, Generator* generator = nullptr)
      : Linear(LinearOptions{in, out}, generator) {}

  Tensor operator()(const Tensor& x) const override;
  void visit(Visitor& visitor) override;

  Tensor weight, bias;
};

}  // namespace nn
}  // namespace gyre
