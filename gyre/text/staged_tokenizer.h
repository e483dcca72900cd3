#pragma once
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "gyre/text/models/token_model.h"
#include "gyre/text/stages/decoders.h"
#include "gyre/text/stages/pre_tokenizers.h"
#include "gyre/text/tokenizer.h"

namespace gyre {

/// A tokenizer of any stages of a `tokenizer.json`: pre-tokenizer, model and decoder.
class StagedTokenizer final : public Tokenizer {
 public:
  /// Of the parts `model`, `pre_tokenizer` and `decoder`; `tokens` are those of the model and the
  /// added ones. Errors: those of the stages.
  StagedTokenizer(const Json& root, std::vector<std::string> tokens, std::vector<AddedToken> added);

  [[nodiscard]] Json to_json() const override;
  [[nodiscard]] bool is_concatenative() const override { return false; }

 protected:
  void encode_text(std::string_view text, bool first, std::vector<int32_t>& ids) const override;
  std::string_view token_bytes(int32_t id) const override;
  [[nodiscard]] std::string decode_tokens(std::span<const int32_t> ids) const override;

 private:
  [[nodiscard]] std::string text_of(std::vector<std::string> tokens) const;
  [[nodiscard]] std::string bytes_inside(int32_t id) const;

  Json pre_tokenizer_json_, decoder_json_;
  PreTokenizerPtr pre_tokenizer_;
  TokenModelPtr model_;
  TokenDecoderPtr decoder_;
  bool has_byte_tokens_ = false, has_byte_letters_ = false;  // by the decoder
  mutable std::once_flag listed_;
  mutable std::vector<std::string> bytes_;  // of each token
};

}  // namespace gyre
