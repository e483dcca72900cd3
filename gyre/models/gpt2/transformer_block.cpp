#include "gyre/models/gpt2/transformer_block.h"

#include "gyre/models/layers.h"
#include "gyre/nn/layer_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/elementwise/elementwise.h"

namespace gyre::nn {

TransformerBlock::TransformerBlock(const TransformerBlockOptions& o, Generator* generator)
    : ln_1({o.width, o.eps, o.bias}),
      attn({o.width, o.heads, o.bias, o.dropout}, generator),
      ln_2({o.width, o.eps, o.bias}),
      mlp({o.width, o.inner, o.bias, o.activation, o.dropout}, generator) {}

Tensor TransformerBlock::operator()(const Tensor& x) const {
  Tensor y = x + attn(ln_1(x));
  return y + mlp(ln_2(y));
}

Tensor TransformerBlock::operator()(const Tensor& x, const KeyValueCache& cache) const {
  Tensor y = x + attn(ln_1(x), cache);
  return y + mlp(ln_2(y));
}

void TransformerBlock::visit(Visitor& v) {
  v.module("ln_1", ln_1);
  v.module("attn", attn);
  v.module("ln_2", ln_2);
  v.module("mlp", mlp);
}

constinit const LayerDef transformer_block_layer = define_layer<TransformerBlock,
                                                                TransformerBlockOptions>(
    "TransformerBlock", "pre-norm transformer block of GPT-2: attention and MLP with residuals",
    [](LayerSamples& s) {
      Samples draw;
      s.add(TransformerBlockOptions{.width = 4, .heads = 2, .inner = 3}, {draw.uniform({2, 3, 4})});
      s.add(TransformerBlockOptions{.width = 2, .bias = false}, {draw.uniform({1, 2, 2})});
      s.refuse(Code::value, TransformerBlockOptions{});
      s.refuse(Code::value, TransformerBlockOptions{.width = 4, .heads = 3});
    });

}  // namespace gyre::nn
