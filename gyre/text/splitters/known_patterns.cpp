#include "gyre/text/splitters/known_patterns.h"

#include <iterator>
#include <string>

#include "gyre/base/text/utf8.h"
#include "gyre/text/splitters/char_bits.h"
#include "gyre/text/splitters/gpt2_split.h"

// Each *_end function gives the end of the match that starts at a character, or its position where
// none does. They try a pattern's alternatives in their order.
namespace gyre {
namespace scan {
namespace {

using MatchEnd = size_t (*)(std::string_view text, size_t at);

template <MatchEnd match_end>
void match_all(std::string_view text, FunctionRef<void(size_t, size_t)> found) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = match_end(text, at);
    if (end > at) {
      found(at, end);
      at = end;
    } else {
      at += char_at(text, at).length;
    }
  }
}

/// ` ?[^\s\p{N}word]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`, of which some alternative matches; with
/// `slash`, `[\r\n/]*` after the signs.
template <unsigned word, bool slash>
size_t signs_or_spaces_end(std::string_view text, size_t at) {
  constexpr unsigned kOthers = word | kNumber | kSpace;
  size_t first = at;
  if (text[at] == ' ' && at + 1 < text.size()) ++first;
  const Char c = char_at(text, first);
  if ((c.bits & kOthers) != 0) return spaces_end<true>(text, at);
  size_t end = run_without<kOthers>(text, first + c.length);
  while (end < text.size() &&
         (text[end] == '\r' || text[end] == '\n' || (slash && text[end] == '/'))) {
    ++end;
  }
  return end;
}

/// `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?word+|\p{N}{1,numbers}|...`, where `word` is
/// `\p{L}` or `[\p{L}\p{M}]`.
template <unsigned word, size_t numbers>
size_t words_end(std::string_view text, size_t at) {
  if (text[at] == '\'') {
    if (const size_t end = contraction_end(text, at, true); end > at) return end;
  }
  const Char c = char_at(text, at);
  if ((c.bits & word) != 0) return run_with<word>(text, at + c.length);
  if ((c.bits & kNumber) != 0) return numbers_end(text, at, numbers);
  const size_t next = at + c.length;
  if ((c.bits & kNewline) == 0 && (bits_at(text, next) & word) != 0) {
    return run_with<word>(text, next);
  }
  return signs_or_spaces_end<word, false>(text, at);
}

/// Where `upper*lower+` and `upper+lower*` end, or the position where they do not match.
struct CasedWord {
  size_t lower, upper;
};

CasedWord cased_word(std::string_view text, size_t at) {
  size_t end = at, last_both = at;
  while (end < text.size()) {
    const Char c = char_at(text, end);
    if ((c.bits & kUpper) == 0) break;
    end += c.length;
    if ((c.bits & kLower) != 0) last_both = end;
  }
  if ((bits_at(text, end) & kLower) != 0) {
    const size_t lower = run_with<kLower>(text, end);
    return {lower, end > at ? lower : at};
  }
  // `upper*` gives back characters until one is in both sets.
  return {last_both, end};
}

/// `[^\r\n\p{L}\p{N}]?upper*lower+|[^\r\n\p{L}\p{N}]?upper+lower*`. Only a mark can be both the
/// optional character and the first one of a word.
size_t cased_word_end(std::string_view text, size_t at, Char first) {
  if ((first.bits & kLetter) != 0) {
    const CasedWord word = cased_word(text, at);
    return word.lower > at ? word.lower : word.upper;
  }
  if ((first.bits & (kNumber | kNewline)) != 0) return at;
  const size_t next = at + first.length;
  const CasedWord word = cased_word(text, next);
  if (word.lower > next) return word.lower;
  if ((first.bits & kMark) != 0) return cased_word(text, at).lower;
  return word.upper > next ? word.upper : at;
}

/// Words by case, numbers of at most `numbers` characters, signs, spaces; with `contractions`,
/// `(?i:'s|'t|'re|'ve|'m|'ll|'d)?` after a word.
template <size_t numbers, bool contractions>
size_t cased_words_end(std::string_view text, size_t at) {
  const Char first = char_at(text, at);
  if (const size_t end = cased_word_end(text, at, first); end > at) {
    return contractions ? contraction_end(text, end, true) : end;
  }
  if ((first.bits & kNumber) != 0) return numbers_end(text, at, numbers);
  return signs_or_spaces_end<kLetter, true>(text, at);
}

size_t three_numbers_end(std::string_view text, size_t at) { return numbers_end(text, at, 3); }

/// Ideographs up to U+9FA5, Hiragana and Katakana.
size_t deepseek_cjk_end(std::string_view text, size_t at) {
  while (at < text.size() && static_cast<unsigned char>(text[at]) >= 0xE3) {
    const Utf8Char c = decode_utf8(text, at);
    if (!((c.code >= 0x4E00 && c.code <= 0x9FA5) || (c.code >= 0x3040 && c.code <= 0x30FF))) break;
    at += c.length;
  }
  return at;
}

size_t ascii_letters_end(std::string_view text, size_t at) {
  while (at < text.size()) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte >= 128 || (kAsciiBits[byte] & kLetter) == 0) break;
    ++at;
  }
  return at;
}

/// An ASCII sign with ASCII letters, `[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+`,
/// ` ?[\p{P}\p{S}]+[\r\n]*`, spaces.
size_t deepseek_end(std::string_view text, size_t at) {
  constexpr unsigned kWord = kLetter | kMark;
  const Char c = char_at(text, at);
  size_t next = at + c.length;
  if ((c.bits & kWord) != 0) return run_with<kWord>(text, next);
  if ((c.bits & kSign) != 0 && static_cast<unsigned char>(text[at]) < 128) {
    if (const size_t end = ascii_letters_end(text, next); end > next) return end;
  }
  const uint8_t after = bits_at(text, next);
  if ((c.bits & (kNewline | kSign)) == 0 && (after & kWord) != 0)
    return run_with<kWord>(text, next);
  if ((c.bits & kSign) != 0 || (text[at] == ' ' && (after & kSign) != 0)) {
    next = run_with<kSign>(text, next);
    while (next < text.size() && (text[next] == '\r' || text[next] == '\n')) ++next;
    return next;
  }
  return (c.bits & kSpace) != 0 ? spaces_end<true>(text, at) : at;
}

constexpr KnownPattern kPatterns[] = {
    {"GPT-2",
     R"('s|'t|'re|'ve|'m|'ll|'d)"
     R"(| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)",
     match_all<gpt2_piece_end>},
    {"GPT-2, short",
     R"('(?:[sdmt]|ll|ve|re))"
     R"(| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)",
     match_all<gpt2_piece_end>},
    {"Llama 3, GPT-4",
     R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3})"
     R"(| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
     match_all<words_end<kLetter, 3>>},
    {"GPT-4, short",
     R"('(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3})"
     R"(| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
     match_all<words_end<kLetter, 3>>},
    {"GPT-4, possessive",
     R"('(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*)"
     R"(|\s*[\r\n]|\s+(?!\S)|\s+)",
     match_all<words_end<kLetter, 3>>},
    {"Qwen2",
     R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N})"
     R"(| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
     match_all<words_end<kLetter, 1>>},
    {"Qwen3.5",
     R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N})"
     R"(| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
     match_all<words_end<kLetter | kMark, 1>>},
    {"GPT-4o",
     R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?)"
     R"(|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?)"
     R"(|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
     match_all<cased_words_end<3, true>>},
    {"Tekken",
     R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+)"
     R"(|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*)"
     R"(|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
     match_all<cased_words_end<1, false>>},
    {"DeepSeek-V3, numbers", R"(\p{N}{1,3})", match_all<three_numbers_end>},
    {"DeepSeek-V3, CJK", "[\u4E00-\u9FA5\u3040-\u309F\u30A0-\u30FF]+", match_all<deepseek_cjk_end>},
    {"DeepSeek-V3",
     R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+)"
     R"(| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
     match_all<deepseek_end>},
};

}  // namespace
}  // namespace scan

const KnownPattern* find_known_pattern(std::string_view pattern) {
  std::string written;
  for (const char c : pattern) {
    if (c == '\r') {
      written += "\\r";
    } else if (c == '\n') {
      written += "\\n";
    } else {
      written += c;
    }
  }
  for (const KnownPattern& known : scan::kPatterns) {
    if (known.pattern == written) return &known;
  }
  return nullptr;
}

size_t known_pattern_count() { return std::size(scan::kPatterns); }
const KnownPattern& known_pattern(size_t i) { return scan::kPatterns[i]; }

}  // namespace gyre
