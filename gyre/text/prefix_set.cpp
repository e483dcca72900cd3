#include "gyre/text/prefix_set.h"

#include <algorithm>
#include <utility>

namespace gyre {

PrefixSet::PrefixSet(std::vector<std::string> texts) : texts_(std::move(texts)) {
  for (size_t i = 0; i < texts_.size(); ++i) {
    if (!texts_[i].empty()) sorted_.push_back(static_cast<int32_t>(i));
  }
  const auto text = [&](int32_t number) -> const std::string& {
    return texts_[static_cast<size_t>(number)];
  };
  std::stable_sort(sorted_.begin(), sorted_.end(),
                   [&](int32_t a, int32_t b) { return text(a) < text(b); });
  sorted_.erase(std::unique(sorted_.begin(), sorted_.end(),
                            [&](int32_t a, int32_t b) { return text(a) == text(b); }),
                sorted_.end());
  for (uint32_t place = 0; place < sorted_.size(); ++place) {
    Range& range = by_first_[static_cast<uint8_t>(at(place)[0])];
    if (range.from == range.to) range.from = place;
    range.to = place + 1;
  }
}

void PrefixSet::narrow(Range& range, size_t depth, uint8_t byte) const {
  const auto byte_at = [&](int32_t number) {
    const std::string& text = texts_[static_cast<size_t>(number)];
    return depth < text.size() ? static_cast<uint8_t>(text[depth]) : -1;
  };
  const auto begin = sorted_.begin();
  const auto from = std::partition_point(begin + range.from, begin + range.to,
                                         [&](int32_t number) { return byte_at(number) < byte; });
  const auto to = std::partition_point(from, begin + range.to,
                                       [&](int32_t number) { return byte_at(number) <= byte; });
  range = {static_cast<uint32_t>(from - begin), static_cast<uint32_t>(to - begin)};
}

}  // namespace gyre
