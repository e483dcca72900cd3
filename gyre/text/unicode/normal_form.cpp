#include "gyre/text/unicode/normal_form.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "gyre/base/text/utf8.h"
#include "gyre/text/unicode/canonical_table.h"
#include "gyre/text/unicode/code_ranges.h"
#include "gyre/text/unicode/compatible_table.h"

namespace gyre {
namespace {

// Hangul syllables are composed by arithmetic (the Unicode Standard, section 3.12).
constexpr char32_t kSyllables = 0xAC00, kLead = 0x1100, kVowel = 0x1161, kTail = 0x11A7;
constexpr char32_t kLeads = 19, kVowels = 21, kTails = 28, kSyllableCount = 11172;

bool is_syllable(char32_t code) { return code - kSyllables < kSyllableCount; }

/// Where each run of code points and each mapping begins.
template <size_t runs, size_t n>
struct Starts {
  std::array<uint16_t, runs> run{};  // in `code`
  std::array<uint16_t, n> code{};    // in the codes of the mappings
};
template <size_t runs, size_t n>
constexpr Starts<runs, n - 1> starts(const CodeRange (&ranges)[runs], const char (&lengths)[n]) {
  Starts<runs, n - 1> out;
  size_t at = 0;
  for (size_t i = 0; i < runs; ++i) {
    out.run[i] = static_cast<uint16_t>(at);
    at += ranges[i].last - ranges[i].first + 1;
  }
  size_t code = 0;
  for (size_t i = 0; i + 1 < n; ++i) {
    out.code[i] = static_cast<uint16_t>(code);
    code += static_cast<size_t>(lengths[i] - 'a');
  }
  return out;
}
constexpr auto kCanonicalStarts = starts(kCanonical, kCanonicalLengths);
constexpr auto kCompatibleStarts = starts(kCompatible, kCompatibleLengths);

/// A mapping's code points; `size` is 0 for none.
struct Mapping {
  const char32_t* codes;
  size_t size;
};
template <size_t runs, size_t n, size_t codes, class Starts>
Mapping mapping_of(char32_t code, const CodeRange (&ranges)[runs], const char (&lengths)[n],
                   const char32_t (&pool)[codes], const Starts& start) {
  const CodeRange* range = find_range(ranges, code);
  if (!range) return {nullptr, 0};
  const size_t i = start.run[static_cast<size_t>(range - ranges)] + (code - range->first);
  return {pool + start.code[i], static_cast<size_t>(lengths[i] - 'a')};
}
Mapping canonical_mapping(char32_t code) {
  return mapping_of(code, kCanonical, kCanonicalLengths, kCanonicalCodes, kCanonicalStarts);
}
Mapping compatible_mapping(char32_t code) {
  return mapping_of(code, kCompatible, kCompatibleLengths, kCompatibleCodes, kCompatibleStarts);
}

/// Two code points and what they compose to.
struct Pair {
  char32_t first, second, composed;
  constexpr bool operator<(const Pair& other) const {
    return first != other.first ? first < other.first : second < other.second;
  }
};

constexpr bool in_not_composed(char32_t code) { return in_ranges(kNotComposed, code); }

/// Calls `with` for every pair that composes.
template <class With>
constexpr void each_pair(With with) {
  size_t i = 0;
  for (const CodeRange& range : kCanonical) {
    for (char32_t code = range.first; code <= range.last; ++code, ++i) {
      const char32_t* to = kCanonicalCodes + kCanonicalStarts.code[i];
      if (kCanonicalLengths[i] == 'c' && !in_not_composed(code)) with(Pair{to[0], to[1], code});
    }
  }
}

constexpr size_t count_pairs() {
  size_t n = 0;
  each_pair([&](const Pair&) { ++n; });
  return n;
}

constexpr auto sorted_pairs() {
  std::array<Pair, count_pairs()> pairs{};
  size_t n = 0;
  each_pair([&](const Pair& pair) { pairs[n++] = pair; });
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}
constexpr auto kPairs = sorted_pairs();

constexpr auto sorted_seconds() {
  std::array<char32_t, kPairs.size()> seconds{};
  for (size_t i = 0; i < seconds.size(); ++i) seconds[i] = kPairs[i].second;
  std::sort(seconds.begin(), seconds.end());
  return seconds;
}
constexpr auto kSeconds = sorted_seconds();

/// Blocks of `size` code points below `end` of which a table says something, as bits; Hangul
/// syllables apart.
template <char32_t size, char32_t end>
constexpr auto used_blocks() {
  std::array<uint64_t, end / size / 64> used{};
  const auto mark = [&](char32_t first, char32_t last) {
    for (char32_t block = first / size; block <= last / size && block < end / size; ++block) {
      used[block / 64] |= uint64_t{1} << (block % 64);
    }
  };
  for (const CodeRange& range : kCanonical) mark(range.first, range.last);
  for (const CodeRange& range : kCompatible) mark(range.first, range.last);
  for (const ShiftedRange& range : kShifted) mark(range.first, range.last);
  for (const CombiningClass& range : kCombining) mark(range.first, range.last);
  for (const char32_t code : kSeconds) mark(code, code);
  mark(kVowel, kTail + kTails);
  return used;
}
constexpr char32_t kAlphabets = 0x3400;  // the blocks before the ideographs mix both kinds
constexpr auto kUsedCodes = used_blocks<1, kAlphabets>();
constexpr auto kUsedBlocks = used_blocks<256, 0x110000>();

/// Whether a table says something of a code point; some others count as well.
bool in_tables(char32_t code) {
  const auto bit = [](const auto& bits, char32_t i) { return (bits[i / 64] >> (i % 64) & 1) != 0; };
  return code < kAlphabets ? bit(kUsedCodes, code) : bit(kUsedBlocks, code / 256);
}

unsigned combining_rank(char32_t code) {
  const CombiningClass* found = find_range(kCombining, code);
  return found ? found->rank : 0;
}

/// The composition of two code points, or 0.
char32_t composed(char32_t first, char32_t second) {
  if (first - kLead < kLeads && second - kVowel < kVowels) {
    return kSyllables + ((first - kLead) * kVowels + (second - kVowel)) * kTails;
  }
  if (is_syllable(first) && (first - kSyllables) % kTails == 0 && second - kTail - 1 < kTails - 1) {
    return first + (second - kTail);
  }
  const Pair wanted{first, second, 0};
  const auto found = std::lower_bound(kPairs.begin(), kPairs.end(), wanted);
  return found != kPairs.end() && !(wanted < *found) ? found->composed : 0;
}

/// Whether a code point may compose with one before it.
bool composes_backward(char32_t code) {
  return code - kVowel < kVowels || code - kTail - 1 < kTails - 1 ||
         std::binary_search(kSeconds.begin(), kSeconds.end(), code);
}

class FormMaker {
 public:
  explicit FormMaker(NormalForm form)
      : composing_(form == NormalForm::nfc || form == NormalForm::nfkc),
        compatible_(form == NormalForm::nfkc || form == NormalForm::nfkd) {}

  std::string run(std::string_view text) {
    std::string out;
    size_t copied = 0;   // bytes of the text that are in `out`
    size_t starter = 0;  // the last character that stays as it is, with which others may compose
    for (size_t at = 0; at < text.size();) {
      if (static_cast<unsigned char>(text[at]) < 128) {
        starter = at++;
        continue;
      }
      const Utf8Char c = decode_utf8(text, at);
      if (!c.valid || stays(c.code)) {
        starter = c.valid ? at : at + c.length;
        at += c.length;
        continue;
      }
      out += text.substr(copied, starter - copied);
      at = copied = segment_end(text, starter, at);
      starter = at;
      append(out);
    }
    if (copied == 0) return std::string(text);
    out += text.substr(copied);
    return out;
  }

 private:
  struct Item {
    char32_t code;
    unsigned rank;
  };

  /// Whether a character is a starter that the form keeps and that composes with nothing before it.
  [[nodiscard]] bool stays(char32_t code) const {
    if (is_syllable(code)) return composing_;
    if (!in_tables(code)) return true;
    if (combining_rank(code) != 0) return false;
    if (compatible_ && (in_ranges(kShifted, code) || compatible_mapping(code).size != 0))
      return false;
    const Mapping canonical = canonical_mapping(code);
    if (!composing_) return canonical.size == 0;
    if (composes_backward(code)) return false;
    return canonical.size == 0 || (canonical.size == 2 && !in_not_composed(code));
  }

  /// Decomposes from `begin` past `changing`, the first character that does not stay, to the next
  /// one that does.
  size_t segment_end(std::string_view text, size_t begin, size_t changing) {
    items_.clear();
    size_t at = begin;
    while (at < text.size()) {
      const Utf8Char c = decode_utf8(text, at);
      if (at > changing && (!c.valid || stays(c.code))) break;
      decompose(c.code);
      at += c.length;
    }
    return at;
  }

  void decompose(char32_t code) {
    if (is_syllable(code)) {
      const char32_t i = code - kSyllables, tail = i % kTails;
      items_.push_back({kLead + i / (kVowels * kTails), 0});
      items_.push_back({kVowel + i / kTails % kVowels, 0});
      if (tail != 0) items_.push_back({kTail + tail, 0});
      return;
    }
    if (compatible_) {
      if (const ShiftedRange* range = find_range(kShifted, code)) {
        items_.push_back({range->to + (code - range->first), 0});
        return;
      }
      if (const Mapping full = compatible_mapping(code); full.size != 0) {
        for (size_t i = 0; i < full.size; ++i) {
          items_.push_back({full.codes[i], combining_rank(full.codes[i])});
        }
        return;
      }
    }
    const Mapping step = canonical_mapping(code);
    if (step.size == 0) {
      items_.push_back({code, combining_rank(code)});
    } else {
      for (size_t i = 0; i < step.size; ++i) decompose(step.codes[i]);
    }
  }

  void append(std::string& out) {
    for (size_t i = 0; i < items_.size();) {  // each run of marks in the order of their classes
      size_t end = i + 1;
      if (items_[i].rank != 0) {
        while (end < items_.size() && items_[end].rank != 0) ++end;
        std::stable_sort(items_.begin() + static_cast<ptrdiff_t>(i),
                         items_.begin() + static_cast<ptrdiff_t>(end),
                         [](const Item& a, const Item& b) { return a.rank < b.rank; });
      }
      i = end;
    }
    if (composing_) compose();
    for (const Item& item : items_) append_utf8(out, item.code);
  }

  void compose() {
    size_t kept = 0, starter = items_.size();
    int last = -1;  // the class of what was kept after the starter
    for (const Item item : items_) {
      if (starter < kept && last < static_cast<int>(item.rank)) {
        if (const char32_t code = composed(items_[starter].code, item.code)) {
          items_[starter].code = code;
          continue;
        }
      }
      if (item.rank == 0) starter = kept;
      last = item.rank == 0 ? -1 : static_cast<int>(item.rank);
      items_[kept++] = item;
    }
    items_.resize(kept);
  }

  bool composing_, compatible_;
  std::vector<Item> items_;  // of a segment
};

}  // namespace

std::string normalized(std::string_view utf8, NormalForm form) {
  const auto ascii = [](char c) { return static_cast<unsigned char>(c) < 128; };
  if (std::all_of(utf8.begin(), utf8.end(), ascii)) return std::string(utf8);
  return FormMaker(form).run(utf8);
}

}  // namespace gyre
