#include "gyre/text/staged_tokenizer.h"

#include <utility>

#include "gyre/base/text/utf8.h"
#include "gyre/text/bpe/byte_letters.h"
#include "gyre/text/tokenizer_format.h"

namespace gyre {
namespace {

Json part_or_null(const Json& root, std::string_view key) {
  const Json* found = root.find(key);
  return found ? *found : Json();
}

// Whether a decoder, or one in its sequence, is of this type.
bool has_stage(const Json& decoder, std::string_view type) {
  if (decoder.is_null()) return false;
  const Json* list = decoder.find("decoders");
  if (!list) return decoder.at("type") == Json(std::string(type));
  for (const Json& one : list->as_array()) {
    if (has_stage(one, type)) return true;
  }
  return false;
}

}  // namespace

StagedTokenizer::StagedTokenizer(const Json& root, std::vector<std::string> tokens,
                                 std::vector<AddedToken> added)
    : Tokenizer(Vocabulary(std::move(tokens)), AddedTokens(std::move(added))),
      pre_tokenizer_json_(part_or_null(root, "pre_tokenizer")),
      decoder_json_(part_or_null(root, "decoder")),
      model_(read_token_model(root.at("model"), vocabulary())) {
  if (!pre_tokenizer_json_.is_null()) {
    StageFields fields(pre_tokenizer_json_, "pre_tokenizer");
    pre_tokenizer_ = read_pre_tokenizer(fields);
  }
  if (!decoder_json_.is_null()) {
    StageFields fields(decoder_json_, "decoder");
    decoder_ = read_token_decoder(fields);
  }
  has_byte_tokens_ = has_stage(decoder_json_, "ByteFallback");
  has_byte_letters_ = has_stage(decoder_json_, "ByteLevel");
}

void StagedTokenizer::encode_text(std::string_view text, bool first,
                                  std::vector<int32_t>& ids) const {
  if (!pre_tokenizer_) {
    if (!text.empty()) model_->encode(text, ids);
    return;
  }
  Pieces pieces;
  pre_tokenizer_->split({std::string(text), first}, pieces);
  for (const Piece& piece : pieces) {
    if (!piece.text.empty()) model_->encode(piece.text, ids);
  }
}

std::string StagedTokenizer::text_of(std::vector<std::string> tokens) const {
  std::string text;
  if (decoder_) {
    for (const std::string& part : decoder_->apply(std::move(tokens))) text += part;
    return text;
  }
  for (size_t i = 0; i < tokens.size(); ++i) text += (i == 0 ? "" : " ") + tokens[i];
  return text;
}

std::string StagedTokenizer::decode_tokens(std::span<const int32_t> ids) const {
  std::vector<std::string> tokens;
  for (const int32_t id : ids) tokens.push_back(decoded_token(id));
  return text_of(std::move(tokens));
}

// What a token adds after one that stands for other text.
std::string StagedTokenizer::bytes_inside(int32_t id) const {
  const std::string& token = decoded_token(id);
  if (const int byte = byte_of_token(token); has_byte_tokens_ && byte >= 0)
    return {static_cast<char>(byte)};
  if (has_byte_letters_) return bytes_of_letters(token);
  const std::string before = "a";
  const std::string alone = text_of({before}), both = text_of({before, token});
  return both.starts_with(alone) ? both.substr(alone.size()) : token;
}

std::string_view StagedTokenizer::token_bytes(int32_t id) const {
  std::call_once(listed_, [&] {
    for (int32_t i = 0; i < vocab_size(); ++i)
      bytes_.push_back(has(i) ? bytes_inside(i) : std::string());
  });
  return bytes_[static_cast<size_t>(id)];
}

Json StagedTokenizer::to_json() const {
  return tokenizer_json(*this, pre_tokenizer_json_, decoder_json_, model_->to_json());
}

}  // namespace gyre
