#pragma once

#include <cstddef>
#include <cstdint>

namespace gyre {

/// What tokenizers ask of a character: general category L, N, property White_Space, or none of
/// them.
enum class CharClass : uint8_t { other, letter, number, space };

/// The class in Unicode 16; `other` for what is not assigned.
[[nodiscard]] CharClass char_class(char32_t code);

}  // namespace gyre
