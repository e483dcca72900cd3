// Written by scripts.py from Unicode 9; not edited by hand.
// clang-format off
#pragma once

#include <cstdint>

namespace gyre {

/// Scripts by Unicode's names; `unknown` for code points that no script has.
enum class Script : uint8_t {
  unknown, adlam, ahom, anatolian_hieroglyphs, arabic, armenian, avestan, balinese, bamum,
  bassa_vah, batak, bengali, bhaiksuki, bopomofo, brahmi, braille, buginese, buhid,
  canadian_aboriginal, carian, caucasian_albanian, chakma, cham, cherokee, common, coptic,
  cuneiform, cypriot, cyrillic, deseret, devanagari, duployan, egyptian_hieroglyphs, elbasan,
  ethiopic, georgian, glagolitic, gothic, grantha, greek, gujarati, gurmukhi, han, hangul, hanunoo,
  hatran, hebrew, hiragana, imperial_aramaic, inherited, inscriptional_pahlavi,
  inscriptional_parthian, javanese, kaithi, kannada, katakana, kayah_li, kharoshthi, khmer, khojki,
  khudawadi, lao, latin, lepcha, limbu, linear_a, linear_b, lisu, lycian, lydian, mahajani,
  malayalam, mandaic, manichaean, marchen, meetei_mayek, mende_kikakui, meroitic_cursive,
  meroitic_hieroglyphs, miao, modi, mongolian, mro, multani, myanmar, nabataean, new_tai_lue, newa,
  nko, ogham, ol_chiki, old_hungarian, old_italic, old_north_arabian, old_permic, old_persian,
  old_south_arabian, old_turkic, oriya, osage, osmanya, pahawh_hmong, palmyrene, pau_cin_hau,
  phags_pa, phoenician, psalter_pahlavi, rejang, runic, samaritan, saurashtra, sharada, shavian,
  siddham, signwriting, sinhala, sora_sompeng, sundanese, syloti_nagri, syriac, tagalog, tagbanwa,
  tai_le, tai_tham, tai_viet, takri, tamil, tangut, telugu, thaana, thai, tibetan, tifinagh,
  tirhuta, ugaritic, vai, warang_citi, yi
};

/// The script of a code point in Unicode 9.
[[nodiscard]] Script script_of(char32_t code);

}  // namespace gyre
