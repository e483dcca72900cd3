#pragma once
#include <string_view>
#include <vector>

#include "gyre/logic/syntax/diagnostic.h"

namespace gyre::logic {

struct Token {
  enum Kind : uint8_t { name, integer, number, string, sign, newline, comment, invalid, end };
  Kind kind;
  Place place;
  std::string_view text;  ///< in the source; of a string with its quotes
  bool spaced = false;    ///< whether space, a comment or a newline stands before it

  [[nodiscard]] bool is(std::string_view sign_text) const {
    return kind == sign && text == sign_text;
  }
  [[nodiscard]] bool is_name(std::string_view word) const { return kind == name && text == word; }
};

/// The tokens of a file, then one of kind `end`. Newlines are tokens, wherever they stand; comments
/// are tokens only if asked for. What cannot be read is a token of kind `invalid`, with an E0001.
[[nodiscard]] std::vector<Token> tokens_of(const Sources& sources, uint32_t file,
                                           Diagnostics& diagnostics, bool comments = false);

/// Whether the text of one sign begins with another sign, or a comment, when the second one follows
/// at once: ":" and "-" give ":-".
[[nodiscard]] bool would_join(std::string_view first, std::string_view second);

/// The content of a string token, its escapes replaced: \" \\ \n \t.
[[nodiscard]] std::string unquoted(std::string_view text);
/// The same string as a token, quoted.
[[nodiscard]] std::string quoted(std::string_view content);

}  // namespace gyre::logic
