#pragma once
#include <cstdint>
#include <vector>

#include "gyre/logic/analysis/node.h"

namespace gyre::logic {

/// A set of labels. An equation has at most kMost variables.
class LabelSet {
 public:
  static constexpr int kMost = 64;
  LabelSet() = default;
  LabelSet(std::initializer_list<Label> labels) {
    for (const Label l : labels) add(l);
  }
  explicit LabelSet(const LabelList& labels) {
    for (const Label l : labels) add(l);
  }
  void add(Label l) { bits_ |= uint64_t{1} << l; }
  [[nodiscard]] bool has(Label l) const { return bits_ >> l & 1; }
  [[nodiscard]] bool empty() const { return bits_ == 0; }
  friend LabelSet operator|(LabelSet a, LabelSet b) { return LabelSet(a.bits_ | b.bits_); }
  friend LabelSet operator&(LabelSet a, LabelSet b) { return LabelSet(a.bits_ & b.bits_); }
  friend LabelSet operator-(LabelSet a, LabelSet b) { return LabelSet(a.bits_ & ~b.bits_); }
  bool operator==(const LabelSet&) const = default;
  /// Ascending.
  [[nodiscard]] LabelList list() const {
    LabelList labels;
    for (Label l = 0; l < kMost; ++l) {
      if (has(l)) labels.push_back(l);
    }
    return labels;
  }

 private:
  explicit LabelSet(uint64_t bits) : bits_(bits) {}
  uint64_t bits_ = 0;
};

}  // namespace gyre::logic
