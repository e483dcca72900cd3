#pragma once

#include <cstdint>

namespace gyre {

/// General categories by Unicode's abbreviations, in groups: letters, marks, numbers, punctuation,
/// symbols, separators, others.
enum class Category : uint8_t {
  // clang-format off
  Lu, Ll, Lt, Lm, Lo,          // letters: upper, lower, title case, modifier, other
  Mn, Mc, Me,                  // marks: non-spacing, spacing, enclosing
  Nd, Nl, No,                  // numbers: decimal digit, letter, other
  Pc, Pd, Ps, Pe, Pi, Pf, Po,  // punctuation: connector, dash, open, close, quotes, other
  Sm, Sc, Sk, So,              // symbols: mathematical, currency, modifier, other
  Zs, Zl, Zp,                  // separators: space, line, paragraph
  Cc, Cf, Cs, Co, Cn           // control, format, surrogate, private use, unassigned
  // clang-format on
};

/// The general category in Unicode 16.
[[nodiscard]] Category category(char32_t code);

[[nodiscard]] constexpr bool is_letter(Category c) { return c <= Category::Lo; }
[[nodiscard]] constexpr bool is_mark(Category c) { return c >= Category::Mn && c <= Category::Me; }
[[nodiscard]] constexpr bool is_number(Category c) {
  return c >= Category::Nd && c <= Category::No;
}
[[nodiscard]] constexpr bool is_punctuation(Category c) {
  return c >= Category::Pc && c <= Category::Po;
}
[[nodiscard]] constexpr bool is_symbol(Category c) {
  return c >= Category::Sm && c <= Category::So;
}
[[nodiscard]] constexpr bool is_separator(Category c) {
  return c >= Category::Zs && c <= Category::Zp;
}
/// Control, format, surrogate, private use and unassigned code points.
[[nodiscard]] constexpr bool is_other(Category c) { return c >= Category::Cc; }

/// The property White_Space: separators, U+0009 to U+000D and U+0085.
[[nodiscard]] bool is_white_space(char32_t code);

/// `\w` of Unicode Technical Standard 18: alphabetic characters, marks, decimal digits, connector
/// punctuation and joiners.
[[nodiscard]] bool is_word_character(char32_t code);

/// Ideographs by the ranges of BERT's tokenizers, which split them one by one: the blocks of CJK
/// ideographs up to extension E, and both of compatibility ideographs.
[[nodiscard]] bool is_cjk_ideograph(char32_t code);

/// The character classes that most tokenizers need: general categories L and N, property
/// White_Space, and others.
enum class CharClass : uint8_t { other, letter, number, space };

/// The class in Unicode 16; `other` for unassigned code points.
[[nodiscard]] CharClass char_class(char32_t code);

}  // namespace gyre
