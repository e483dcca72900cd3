#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "gyre/text/prefix_set.h"
#include "gyre/text/stages/precompiled.h"
#include "gyre/text/stages/stage_fields.h"

namespace gyre {

/// The normaliser of SentencePiece (Kudo and Richardson, 2018), a stage of gyre's own: Hugging
/// Face's stages do not say all of it. At each place of the text the longest prefix in the map is
/// replaced, symbols that the user defined stay as they are; then white space is handled.
class SentencePieceNormalizer {
 public:
  /// By `precompiled_charsmap` (base64; empty: none), `add_dummy_prefix`,
  /// `remove_extra_whitespaces`, `escape_whitespaces`, `treat_whitespace_as_suffix` and
  /// `user_defined` (texts). Errors of StageFields and PrecompiledMap.
  explicit SentencePieceNormalizer(StageFields& fields);

  [[nodiscard]] std::string apply(std::string_view text) const;

 private:
  struct Prefix {
    std::string_view text;  // what replaces it
    size_t length;
  };
  [[nodiscard]] Prefix prefix_of(std::string_view text) const;

  std::optional<PrecompiledMap> map_;
  PrefixSet symbols_;
  bool dummy_prefix_, removes_spaces_, as_suffix_;
  std::string_view space_;
};

}  // namespace gyre
