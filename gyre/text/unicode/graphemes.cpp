#include "gyre/text/unicode/graphemes.h"

#include "gyre/base/text/utf8.h"
#include "gyre/text/unicode/grapheme_class.h"

namespace gyre {
namespace {

constexpr bool ends_grapheme(GraphemeClass c) {
  using enum GraphemeClass;
  return c == control || c == carriage_return || c == line_feed;
}

constexpr bool extends_grapheme(GraphemeClass c) {
  using enum GraphemeClass;
  return c == extend || c == extend_outside || c == linker || c == zwj;
}

// Rules GB6 to GB8: jamo and syllables of Hangul that join.
constexpr bool joins_in_syllable(GraphemeClass left, GraphemeClass right) {
  using enum GraphemeClass;
  switch (left) {
    case leading_jamo:
      return right == leading_jamo || right == vowel_jamo || right == open_syllable ||
             right == closed_syllable;
    case open_syllable:
    case vowel_jamo:
      return right == vowel_jamo || right == trailing_jamo;
    case closed_syllable:
    case trailing_jamo:
      return right == trailing_jamo;
    default:
      return false;
  }
}

// What the end of a cluster so far can be continued with.
class GraphemeEnd {
 public:
  explicit GraphemeEnd(GraphemeClass first) { add(first); }

  // Whether a character belongs to the cluster.
  [[nodiscard]] bool takes(GraphemeClass next) const {
    using enum GraphemeClass;
    if (last_ == carriage_return && next == line_feed) return true;  // GB3
    if (ends_grapheme(last_) || ends_grapheme(next)) return false;   // GB4, GB5
    return joins_in_syllable(last_, next) || extends_grapheme(next) || next == spacing_mark ||
           last_ == prepend ||                                                     // GB9, 9a, 9b
           (is_linked_ && next == consonant) ||                                    // GB9c
           (is_emoji_ && last_ == zwj && next == pictographic) ||                  // GB11
           (next == regional_indicator && last_ == next && indicators_ % 2 == 1);  // GB12, GB13
  }
  void add(GraphemeClass next) {
    using enum GraphemeClass;
    indicators_ = next == regional_indicator ? indicators_ + 1 : 0;
    is_emoji_ = next == pictographic || (is_emoji_ && last_ != zwj && extends_grapheme(next));
    const bool inside = next == extend || next == linker || next == zwj;
    is_conjunct_ = next == consonant || (is_conjunct_ && inside);
    is_linked_ = is_conjunct_ && (next == linker || (is_linked_ && next != consonant));
    last_ = next;
  }

 private:
  GraphemeClass last_ = GraphemeClass::other;
  size_t indicators_ = 0;                         // regional indicators at the end
  bool is_emoji_ = false;                         // an emoji and marks at the end
  bool is_conjunct_ = false, is_linked_ = false;  // a consonant and marks; with a linker
};

}  // namespace

size_t grapheme_end(std::string_view text, size_t at) {
  Utf8Char c = decode_utf8(text, at);
  GraphemeEnd end(grapheme_class(c.code));
  for (at += c.length; at < text.size(); at += c.length) {
    if (!c.valid) break;
    c = decode_utf8(text, at);
    const GraphemeClass next = grapheme_class(c.code);
    if (!c.valid || !end.takes(next)) break;
    end.add(next);
  }
  return at;
}

}  // namespace gyre
