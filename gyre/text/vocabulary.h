#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gyre {

/// Tokens and their ids, both ways. Ids run from 0; an empty string marks an id that is not used.
class Vocabulary {
 public:
  Vocabulary() = default;
  /// `tokens[id]`. Errors: value, when a token comes twice.
  explicit Vocabulary(std::vector<std::string> tokens);
  Vocabulary(Vocabulary&&) = default;
  Vocabulary& operator=(Vocabulary&&) = default;

  /// One more than the largest id.
  [[nodiscard]] int32_t size() const { return static_cast<int32_t>(tokens_.size()); }
  /// `id` in [0, size).
  [[nodiscard]] const std::string& token(int32_t id) const {
    return tokens_[static_cast<size_t>(id)];
  }
  /// -1 when there is no such token.
  [[nodiscard]] int32_t id(std::string_view token) const;

 private:
  struct Slot {
    int32_t id = -1;   // -1 is free
    uint32_t tag = 0;  // upper half of the hash, so that few strings are compared
  };
  Slot slot_for(std::string_view token, size_t* at) const;

  std::vector<std::string> tokens_;
  std::vector<Slot> slots_;  // open addressing by hash of the token
};

}  // namespace gyre
