#pragma once
#include <string>
#include <vector>

#include "gyre/io/json.h"
#include "gyre/models/decoder/transformer_block.h"
#include "gyre/models/encoder/encoder_options.h"
#include "gyre/nn/embedding.h"
#include "gyre/nn/init.h"

namespace gyre {

/// A block of a text encoder: attention to all tokens and an MLP, with norms of the sums (Vaswani
/// et al. 2017) or of the inputs. Parameter names as those of nn::TransformerBlock.
class EncoderBlock : public nn::Module {
 public:
  /// Layer i of an encoder.
  EncoderBlock(const EncoderOptions& options, int64_t i);

  /// [rows, tokens, width] to the same shape; for lengths and mask see
  /// nn::CausalSelfAttention::to_all().
  Tensor operator()(const Tensor& x, const Tensor& lengths, const Tensor& mask) const;
  void visit(nn::Visitor& visitor) override;

  nn::Norm ln_1;
  nn::CausalSelfAttention attn;
  nn::Norm ln_2;
  nn::Mlp mlp;

 private:
  bool norm_first_;
};

/// A tensor of a folder: its name there, and the parameters of the encoder that it holds, one after
/// another along axis 0. Without any it is of a head, which is written back as it was read.
struct EncoderTensor {
  std::string name;
  std::vector<std::string> parts{};
  Tensor head{};
};

/// How the folder that an encoder was loaded from holds it.
struct EncoderSource {
  Json config = Json::object();
  std::vector<EncoderTensor> tensors{};
};

/// An encoder of texts: BERT (Devlin et al. 2019) and its relatives. Embedded tokens, positions and
/// token types, blocks in which each token attends to all of its row, and hidden states.
class TextEncoder : public nn::Module {
 public:
  /// Without values, for weights that are loaded next. Error{value} as check_encoder().
  TextEncoder(const EncoderOptions& options, const nn::Unfilled& scope);
  /// With the initial values of the layers. Error{value} as above.
  explicit TextEncoder(const EncoderOptions& options);

  /// Hidden states [rows, tokens, width] of i32 or i64 tokens [rows, tokens]. Row r has the first
  /// lengths[r] tokens ([rows] i32 or i64; empty: all); the rest is padding, whose tokens must be
  /// in the vocabulary and whose hidden states mean nothing. `types` [rows, tokens] are the token
  /// types, 0 if empty. Error{shape}; Error{value} for more tokens than options().context(), for a
  /// length outside 1 .. tokens, and for types of an encoder without them; Error{index} for a token
  /// or type out of range.
  Tensor operator()(const Tensor& tokens, const Tensor& lengths = {},
                    const Tensor& types = {}) const;
  /// tokens, lengths, types to hidden states.
  Tensors forward(Inputs inputs) const override;
  void visit(nn::Visitor& visitor) override;
  [[nodiscard]] const EncoderOptions& options() const { return options_; }

  /// Writes a folder, creating it, as the one that the encoder was loaded from: config.json and one
  /// model.safetensors. Error{unsupported} for an encoder that was not loaded; Error{io}.
  void save(const std::string& folder);
  /// The length of the model.safetensors that save() would write. Error{unsupported} as above.
  uint64_t saved_bytes();
  [[nodiscard]] const EncoderSource& source() const { return source_; }
  void remember(EncoderSource source) { source_ = std::move(source); }

  nn::Embedding wte;
  std::vector<nn::Embedding> wpe, wtt;  ///< one each, or none without positions or types
  nn::Norm ln_0;
  std::vector<EncoderBlock> h;
  nn::Norm ln_f;  ///< the identity unless norms are of inputs

 private:
  void check(const Tensor& tokens, const Tensor& lengths, const Tensor& types) const;
  [[nodiscard]] Tensor embedded(const Tensor& tokens, const Tensor& types) const;

  EncoderOptions options_;
  EncoderSource source_;
};

}  // namespace gyre
