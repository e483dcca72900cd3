#pragma once
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "gyre/io/json.h"
#include "gyre/text/tokenizer.h"
#include "gyre/text/vocabulary.h"

/// Writing of `tokenizer.json`, shared by all kinds of tokenizers.
namespace gyre {

/// The complete file from its parts.
[[nodiscard]] Json tokenizer_json(const Tokenizer& tokenizer, Json pre_tokenizer, Json decoder,
                                  Json model);

/// A BPE model with this vocabulary and without merges.
[[nodiscard]] Json bpe_model_json(const Vocabulary& vocabulary);

/// A stage of this type with these fields.
using StageField = std::pair<const char*, Json>;
[[nodiscard]] Json stage_json(const char* type, std::initializer_list<StageField> fields = {});
/// A stage with the field `key`, a list of stages.
[[nodiscard]] Json stage_list_json(const char* type, const char* key, Json::Array stages);
/// The pattern that is a text as it is.
[[nodiscard]] Json text_pattern_json(std::string_view text);
/// A special token of `added_tokens`.
[[nodiscard]] Json added_token_json(int64_t id, const std::string& content);
/// The post-processor that puts the tokens of these ids before and after a text; -1: none.
[[nodiscard]] Json template_json(std::span<const std::string> tokens, int32_t begin, int32_t end);

}  // namespace gyre
