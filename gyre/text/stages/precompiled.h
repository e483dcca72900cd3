#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gyre {

/// SentencePiece's precompiled character map: a double-array trie of texts and what replaces them.
class PrecompiledMap {
 public:
  /// Of base64 text, or of its bytes. Error{parse}, naming `field`, for a damaged one.
  PrecompiledMap(std::string_view base64, const std::string& field);
  static PrecompiledMap of_bytes(std::string bytes, const std::string& field);

  /// Replaces grapheme clusters of less than six bytes, else single characters, by what the
  /// shortest prefix in the trie maps to, as Hugging Face's tokenizers do.
  [[nodiscard]] std::string apply(std::string_view text) const;
  /// The length of the longest prefix in the trie, and what replaces it; 0: there is none.
  size_t longest_prefix(std::string_view text, std::string_view* found) const;

 private:
  PrecompiledMap() = default;
  void read(std::string bytes, const std::string& field);
  /// What replaces the text by its shortest prefix in the trie; false if nothing does.
  bool replacement(std::string_view text, std::string_view* found) const {
    return walk(text, true, found) > 0;
  }
  size_t walk(std::string_view text, bool shortest, std::string_view* found) const;

  std::vector<uint32_t> units_;
  std::string texts_;  // each ends with a zero byte
};

/// The text form of bytes in `precompiled_charsmap`.
[[nodiscard]] std::string to_base64(std::string_view bytes);

}  // namespace gyre
