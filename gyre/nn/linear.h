#pragma once
#include "gyre/base/philox.h"
#include "gyre/nn/layer.h"

namespace gyre {

struct LinearOptions {
  int64_t in = 0, out = 0;
  bool bias = true;
};
GYRE_FIELDS(LinearOptions, GYRE_FIELD(in, "numbers a row of the input"),
            GYRE_FIELD(out, "numbers a row of the result"),
            GYRE_FIELD(bias, "adds a trained number to each"));

namespace nn {

/// x W^T + bias on the last axis: [..., in] to [..., out]; weight [out, in], bias [out].
class Linear : public Layer {
 public:
  /// Weight and bias uniform within 1 / sqrt(in), as PyTorch's. Error{value} for sizes below 1.
  explicit Linear(const LinearOptions& options, Generator* generator = nullptr);
  Linear(int64_t in, int64_t out, Generator* generator = nullptr)
      : Linear(LinearOptions{in, out}, generator) {}

  Tensor operator()(const Tensor& x) const override;
  void visit(Visitor& visitor) override;

  Tensor weight, bias;
};

}  // namespace nn
}  // namespace gyre
