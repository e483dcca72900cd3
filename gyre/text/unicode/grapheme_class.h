#pragma once
#include <cstdint>

namespace gyre {

/// What a character is to its neighbours in Unicode's Annex 29: the values of
/// Grapheme_Cluster_Break, of which marks and others are told apart by Indic_Conjunct_Break and
/// Extended_Pictographic.
enum class GraphemeClass : uint8_t {
  other,
  carriage_return,
  line_feed,
  control,
  extend,          ///< a mark that may stand inside of a conjunct
  extend_outside,  ///< one that may not
  linker,          ///< a mark that joins consonants
  zwj,             ///< zero width joiner
  regional_indicator,
  prepend,
  spacing_mark,
  leading_jamo,
  vowel_jamo,
  trailing_jamo,
  open_syllable,    ///< of Hangul: without a trailing consonant
  closed_syllable,  ///< with one
  pictographic,     ///< emoji
  consonant         ///< of scripts with conjuncts
};

/// The class in Unicode 17.
[[nodiscard]] GraphemeClass grapheme_class(char32_t code);

}  // namespace gyre
