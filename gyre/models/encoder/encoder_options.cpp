#include "gyre/models/encoder/encoder_options.h"

#include "gyre/base/error.h"

namespace gyre {
namespace {

DecoderOptions as_decoder(const EncoderOptions& e) {
  DecoderOptions o{.vocab = e.vocab,
                   .block_size = e.block_size,
                   .layers = e.layers,
                   .heads = e.heads,
                   .width = e.width,
                   .inner = e.inner,
                   .bias = e.norm_bias,
                   .activation = e.activation,
                   .eps = e.eps,
                   .positions = e.positions,
                   .rope_base = e.rope_base,
                   .gated = e.gated,
                   .head_size = e.head_size,
                   .window = e.window};
  o.details.separate = e.separate;
  o.details.attention_bias = e.attention_bias ? AttentionBias::all : AttentionBias::none;
  o.details.layer_types = e.layer_types;
  o.details.window_rope_base = e.window_rope_base;
  return o;
}

}  // namespace

DecoderOptions EncoderOptions::of_layer(int64_t i) const { return as_decoder(*this).of_layer(i); }

void check_encoder(const char* op, const EncoderOptions& o) {
  check_record(op, o);
  check_heads(op, as_decoder(o));
  if (o.context() < 1) {
    throw Error(Code::value, op,
                {"`padding` ", o.padding, " leaves none of the ", o.block_size, " positions"},
                {"< ", o.block_size - 1}, o.padding);
  }
}

}  // namespace gyre
