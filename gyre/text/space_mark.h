#pragma once
#include <string_view>

namespace gyre {

/// U+2581, which stands for a space in the pieces of SentencePiece.
inline constexpr std::string_view kSpaceMark = "\u2581";

}  // namespace gyre
