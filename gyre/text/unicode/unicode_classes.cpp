#include "gyre/text/unicode/unicode_classes.h"

namespace gyre {

bool is_white_space(char32_t code) {
  return (code >= 0x9 && code <= 0xD) || code == 0x85 || is_separator(category(code));
}

bool is_word_character(char32_t code) {
  const Category found = category(code);
  if (is_letter(found) || is_mark(found) || found == Category::Nd || found == Category::Nl ||
      found == Category::Pc) {
    return true;
  }
  // Circled and squared letters are alphabetic symbols.
  return code == 0x200C || code == 0x200D || (code >= 0x24B6 && code <= 0x24E9) ||
         (code >= 0x1F130 && code <= 0x1F149) || (code >= 0x1F150 && code <= 0x1F169) ||
         (code >= 0x1F170 && code <= 0x1F189);
}

bool is_cjk_ideograph(char32_t code) {
  // The last extension starts at U+2B920 in Hugging Face's BERT, where U+2B820 was meant.
  return (code >= 0x4E00 && code <= 0x9FFF) || (code >= 0x3400 && code <= 0x4DBF) ||
         (code >= 0x20000 && code <= 0x2A6DF) || (code >= 0x2A700 && code <= 0x2B81F) ||
         (code >= 0x2B920 && code <= 0x2CEAF) || (code >= 0xF900 && code <= 0xFAFF) ||
         (code >= 0x2F800 && code <= 0x2FA1F);
}

CharClass char_class(char32_t code) {
  const Category found = category(code);
  if (is_letter(found)) return CharClass::letter;
  if (is_number(found)) return CharClass::number;
  return is_white_space(code) ? CharClass::space : CharClass::other;
}

}  // namespace gyre
