#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gyre {

/// Bidirectional map of tokens and ids. Ids start at 0; an empty string marks an unused id.
class Vocabulary {
 public:
  Vocabulary() = default;
  /// `tokens[id]`. Error{value} for duplicate tokens.
  explicit Vocabulary(std::vector<std::string> tokens);
  Vocabulary(Vocabulary&&) = default;
  Vocabulary& operator=(Vocabulary&&) = default;

  /// The largest id plus one.
  [[nodiscard]] int32_t size() const { return static_cast<int32_t>(tokens_.size()); }
  /// The token of `id` in [0, size).
  [[nodiscard]] const std::string& token(int32_t id) const {
    return tokens_[static_cast<size_t>(id)];
  }
  /// The id of a token, -1 if there is none.
  [[nodiscard]] int32_t id(std::string_view token) const;

 private:
  struct Slot {
    int32_t id = -1;   // -1: free slot
    uint32_t tag = 0;  // upper half of the hash, to avoid most string comparisons
  };
  Slot slot_for(std::string_view token, size_t* at) const;

  std::vector<std::string> tokens_;
  std::vector<Slot> slots_;  // open addressing by hash of the token
};

}  // namespace gyre
