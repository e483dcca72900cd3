#include "gyre/logic/server/text_positions.h"

#include <algorithm>

#include "gyre/base/text/utf8.h"

namespace gyre::logic {

TextPositions::TextPositions(std::string_view text, PositionEncoding encoding)
    : text_(text), encoding_(encoding), lines_{0} {
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_pair = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
    if ((text[i] == '\n' || text[i] == '\r') && !is_pair) lines_.push_back(i + 1);
  }
}

int64_t TextPositions::units(char32_t code, size_t bytes) const {
  if (encoding_ == PositionEncoding::utf8) return static_cast<int64_t>(bytes);
  return code > 0xFFFF ? 2 : 1;
}

size_t TextPositions::offset(TextPosition position) const {
  if (position.line < 0) return 0;
  if (position.line >= static_cast<int64_t>(lines_.size())) return text_.size();
  size_t at = lines_[static_cast<size_t>(position.line)];
  int64_t left = position.character;
  while (at < text_.size() && text_[at] != '\n' && text_[at] != '\r') {
    const Utf8Char c = decode_utf8(text_, at);
    left -= units(c.code, c.length);
    if (left < 0) break;
    at += c.length;
  }
  return at;
}

TextPosition TextPositions::position(size_t offset) const {
  offset = std::min(offset, text_.size());
  const auto after = std::upper_bound(lines_.begin(), lines_.end(), offset);
  const int64_t line = after - lines_.begin() - 1;
  int64_t character = 0;
  for (size_t at = *std::prev(after); at < offset;) {
    const Utf8Char c = decode_utf8(text_, at);
    character += units(c.code, c.length);
    at += c.length;
  }
  return {line, character};
}

}  // namespace gyre::logic
