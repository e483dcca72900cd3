#pragma once
#include "gyre/nn/layer.h"
#include "gyre/packed/packed_ops.h"

namespace gyre {

struct PackedLinearOptions {
  int64_t in = 0, out = 0;
  PackedFormat format = PackedFormat::D4;
  bool bias = true;
};
GYRE_FIELDS(PackedLinearOptions,
            GYRE_FIELD(in, "size of the last input axis", .alias = "in_features", .least = 1),
            GYRE_FIELD(out, "size of the last output axis", .alias = "out_features", .least = 1),
            GYRE_FIELD(format, "format of the packed weight"),
            GYRE_FIELD(bias, "add a learned bias"));

namespace nn {

/// Linear with a packed weight: x W^T + b of the last axis, [..., in] to [..., out]. Trained by the
/// optimiser `hybrid` (packed/training/hybrid.h).
class PackedLinear : public Layer {
 public:
  /// Random words, which are independent numbers of variance 1 / in, and biases uniform in
  /// [-1 / sqrt(in), 1 / sqrt(in)]. Error{value} for sizes below 1 and
  /// for a format without rings.
  explicit PackedLinear(const PackedLinearOptions& options, Generator* generator = nullptr);

  Tensor operator()(const Tensor& x) const override;
  void visit(Visitor& visitor) override;

  Tensor weight, bias;
};

}  // namespace nn
}  // namespace gyre
