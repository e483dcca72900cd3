#include "gyre/text/vocabulary.h"

#include <bit>
#include <utility>

#include "gyre/base/error.h"
#include "gyre/text/piece_hash.h"

namespace gyre {

Vocabulary::Vocabulary(std::vector<std::string> tokens) : tokens_(std::move(tokens)) {
  slots_.assign(std::bit_ceil(2 * tokens_.size() + 2), -1);
  for (int32_t id = 0; id < size(); ++id) {
    if (token(id).empty()) continue;
    int32_t& slot = slots_[slot_of(token(id))];
    if (slot >= 0) {
      throw Error(Code::value, "vocabulary",
                  "token \"" + token(id) + "\" has two ids, " + std::to_string(slot) + " and " +
                      std::to_string(id));
    }
    slot = id;
  }
}

size_t Vocabulary::slot_of(std::string_view wanted) const {
  const size_t mask = slots_.size() - 1;
  size_t slot = piece_hash(wanted) & mask;
  while (slots_[slot] >= 0 && token(slots_[slot]) != wanted) slot = (slot + 1) & mask;
  return slot;
}

int32_t Vocabulary::id(std::string_view token) const {
  return slots_.empty() ? -1 : slots_[slot_of(token)];
}

}  // namespace gyre
