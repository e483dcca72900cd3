#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gyre {

/// Numbers distinct names 0, 1, ... in order of insertion; fewer than 2^32 - 1.
class NameTable {
 public:
  /// The number of a name, which is added if new.
  uint32_t add(std::string_view name);
  [[nodiscard]] std::optional<uint32_t> find(std::string_view name) const;
  /// Valid until the next `add`.
  [[nodiscard]] std::string_view operator[](uint32_t number) const {
    return std::string_view(text_).substr(begins_[number], begins_[number + 1] - begins_[number]);
  }
  [[nodiscard]] int64_t size() const { return static_cast<int64_t>(begins_.size()) - 1; }

 private:
  // The slot that holds the name, or the free slot for it.
  [[nodiscard]] size_t slot_of(std::string_view name) const;
  void grow();

  std::string text_;                 // all names, concatenated
  std::vector<uint64_t> begins_{0};  // offsets in text_, and its end
  std::vector<uint32_t> slots_;      // number + 1, or 0 where free; size is a power of two
};

}  // namespace gyre
