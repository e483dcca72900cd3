#pragma once

#include <cstddef>
#include <string_view>

namespace gyre {

/// The end of the piece that starts at `text[begin]` (< size) by GPT-2's pre-tokenization pattern
/// `'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`, with Unicode 16 and
/// White_Space for `\s`. Invalid UTF-8 bytes count as neither letter, number nor space, so any
/// bytes can be split, and the pieces concatenate to the text.
[[nodiscard]] size_t gpt2_piece_end(std::string_view text, size_t begin);

}  // namespace gyre
