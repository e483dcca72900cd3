#pragma once

#include "gyre/text/unicode/unicode_classes.h"

/// Classes in other versions of Unicode than 16. Stages of tokenizers use them because Hugging
/// Face's tokenizers do, from libraries of several ages; the version decides how characters that
/// are newer, or whose category has changed, are split and cleaned.
namespace gyre {

/// The general category in Unicode 8, and `Cn` for what came later: BERT's normalizer (control
/// characters, accents) and all splitting at punctuation.
[[nodiscard]] Category category_unicode_8(char32_t code);

/// A mark (M) in Unicode 9: what the normalizer StripAccents removes.
[[nodiscard]] bool is_mark_unicode_9(char32_t code);

/// Category N in Unicode 17: what the pre-tokenizer Digits splits.
[[nodiscard]] bool is_number_unicode_17(char32_t code);

}  // namespace gyre
