#pragma once

#include <cstdint>

namespace gyre {

/// The character classes that tokenizers need: general categories L and N, property White_Space,
/// and others.
enum class CharClass : uint8_t { other, letter, number, space };

/// The class in Unicode 16; `other` for unassigned code points.
[[nodiscard]] CharClass char_class(char32_t code);

}  // namespace gyre
