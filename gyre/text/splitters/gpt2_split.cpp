#include "gyre/text/splitters/gpt2_split.h"

#include "gyre/text/splitters/char_bits.h"

namespace gyre {

size_t gpt2_piece_end(std::string_view text, size_t begin) {
  using namespace scan;
  if (text[begin] == '\'') {
    if (const size_t end = contraction_end(text, begin, false); end > begin) return end;
  }
  Char first = char_at(text, begin);
  size_t at = begin;
  if (text[begin] == ' ' && begin + 1 < text.size()) first = char_at(text, ++at);
  if ((first.bits & kSpace) != 0) return spaces_end<false>(text, begin);
  at += first.length;
  if ((first.bits & kLetter) != 0) return run_with<kLetter>(text, at);
  if ((first.bits & kNumber) != 0) return run_with<kNumber>(text, at);
  return run_without<kLetter | kNumber | kSpace>(text, at);
}

}  // namespace gyre
