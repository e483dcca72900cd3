#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace gyre::logic {

/// What a column counts: the units of UTF-16, or of UTF-8, which are bytes.
enum class PositionEncoding : uint8_t { utf16, utf8 };

/// A line and a column, from 0, as the Language Server Protocol counts them.
struct TextPosition {
  int64_t line, character;
};

/// Converts between bytes of a text and lines with columns. Lines end with \n, \r\n or \r (LSP
/// 3.17, Text Documents).
class TextPositions {
 public:
  /// The text must outlive this.
  TextPositions(std::string_view text, PositionEncoding encoding);
  /// The byte of a position; past the end of a line, or of the text, that end. Inside of a
  /// character, its begin.
  [[nodiscard]] size_t offset(TextPosition position) const;
  /// The position of a byte; past the end of the text, that end.
  [[nodiscard]] TextPosition position(size_t offset) const;

 private:
  [[nodiscard]] int64_t units(char32_t code, size_t bytes) const;

  std::string_view text_;
  PositionEncoding encoding_;
  std::vector<size_t> lines_;  // where each begins
};

}  // namespace gyre::logic
