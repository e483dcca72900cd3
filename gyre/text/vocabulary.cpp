#include "gyre/text/vocabulary.h"

#include <bit>
#include <utility>

#include "gyre/base/error.h"
#include "gyre/base/text/piece_hash.h"

namespace gyre {

Vocabulary::Vocabulary(std::vector<std::string> tokens) : tokens_(std::move(tokens)) {
  slots_.resize(std::bit_ceil(2 * tokens_.size() + 2));
  for (int32_t id = 0; id < size(); ++id) {
    if (token(id).empty()) continue;
    size_t at = 0;
    const Slot slot = slot_for(token(id), &at);
    if (slot.id >= 0) {
      throw Error(Code::value, "vocabulary",
                  {"token \"", token(id), "\" has two ids, ", slot.id, " and ", id});
    }
    slots_[at] = {id, slot.tag};
  }
}

/// The slot of the token, or the free slot for it with its tag.
Vocabulary::Slot Vocabulary::slot_for(std::string_view wanted, size_t* at) const {
  const uint64_t hash = piece_hash(wanted);
  const auto tag = static_cast<uint32_t>(hash >> 32);
  const size_t mask = slots_.size() - 1;
  for (*at = hash & mask;; *at = (*at + 1) & mask) {
    const Slot slot = slots_[*at];
    if (slot.id < 0) return {-1, tag};
    if (slot.tag == tag && token(slot.id) == wanted) return slot;
  }
}

int32_t Vocabulary::id(std::string_view token) const {
  size_t at = 0;
  return slots_.empty() ? -1 : slot_for(token, &at).id;
}

}  // namespace gyre
