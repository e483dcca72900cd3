#pragma once
#include <cstddef>
#include <string_view>

namespace gyre {

/// Where the extended grapheme cluster that begins at `at` < size ends: a character as users
/// perceive it (Unicode 17, Annex 29). Bytes that are not UTF-8 are single characters.
[[nodiscard]] size_t grapheme_end(std::string_view text, size_t at);

}  // namespace gyre
