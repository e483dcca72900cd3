#pragma once
#include "gyre/nn/linear.h"
#include "gyre/nn/op_layers.h"

namespace gyre {

struct MlpOptions {
  int64_t width = 0, inner = 0;
  bool bias = true;
  Activation activation = Activation::gelu_tanh;
  double dropout = 0;
};
GYRE_FIELDS(MlpOptions,
            GYRE_FIELD(width, "input and output size",
                       .alias = "embed_dim,d_model,n_embd,hidden_size"),
            GYRE_FIELD(inner, "hidden size; 0: 4 * width", .alias = "dim_feedforward,n_inner"),
            GYRE_FIELD(bias, "use biases in both layers"),
            GYRE_FIELD(activation, "activation function"),
            GYRE_FIELD(dropout, "dropout probability of the output"));

namespace nn {

/// Feed-forward network: [..., width] to [..., inner], activation, back to [..., width]. Parameter
/// names as in GPT-2.
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
