#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gyre {

/// A set of texts. It finds those that are prefixes of a given text. The time is proportional to
/// the length of the longest prefix, times the logarithm of the size of the set.
class PrefixSet {
 public:
  PrefixSet() = default;
  /// Empty texts are never found. Of equal texts, the first is found.
  explicit PrefixSet(std::vector<std::string> texts);

  [[nodiscard]] bool empty() const { return sorted_.empty(); }
  /// The index, in the list given to the constructor, of the longest prefix of `text`; -1: none.
  [[nodiscard]] int32_t longest(std::string_view text) const {
    int32_t found = -1;
    for_each(text, [&](int32_t number, size_t) { found = number; });
    return found;
  }
  /// Calls take(index, length) for each prefix of `text`, the shortest first.
  template <class Take>
  void for_each(std::string_view text, Take take) const {
    if (text.empty()) return;
    Range range = by_first_[static_cast<uint8_t>(text[0])];
    for (size_t depth = 0;;) {
      if (range.from == range.to) return;
      ++depth;
      if (at(range.from).size() == depth) take(sorted_[range.from], depth);
      if (depth == text.size()) return;
      narrow(range, depth, static_cast<uint8_t>(text[depth]));
    }
  }

 private:
  struct Range {
    uint32_t from = 0, to = 0;
  };
  [[nodiscard]] const std::string& at(uint32_t place) const {
    return texts_[static_cast<size_t>(sorted_[place])];
  }
  // Keeps the texts with `byte` at this depth.
  void narrow(Range& range, size_t depth, uint8_t byte) const;

  std::vector<std::string> texts_;
  std::vector<int32_t> sorted_;  // indices, in the order of their texts
  std::array<Range, 256> by_first_{};
};

}  // namespace gyre
