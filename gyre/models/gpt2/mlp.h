#pragma once
#include "gyre/nn/activation.h"
#include "gyre/nn/dropout.h"
#include "gyre/nn/linear.h"

namespace gyre {

struct MlpOptions {
  int64_t width = 0, inner = 0;
  bool bias = true;
  Activation activation = Activation::gelu_tanh;
  double dropout = 0;
};
GYRE_FIELDS(MlpOptions, GYRE_FIELD(width, "numbers a row of input and result"),
            GYRE_FIELD(inner, "numbers a row between the layers; 0: 4 width"),
            GYRE_FIELD(bias, "both layers have biases"),
            GYRE_FIELD(activation, "between the layers"),
            GYRE_FIELD(dropout, "share of the result dropped in training"));

namespace nn {

/// [..., width] to `inner` numbers, activation, back to [..., width]. Names as in GPT-2.
class Mlp : public Layer {
 public:
  explicit Mlp(const MlpOptions& options, Generator* generator = nullptr);

  Tensor operator()(const Tensor& x) const override;
  void visit(Visitor& visitor) override;

  Linear c_fc, c_proj;

 private:
  Activation activation_;
  Dropout dropout_;
};

}  // namespace nn
}  // namespace gyre
