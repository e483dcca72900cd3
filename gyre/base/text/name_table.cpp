#include "gyre/base/text/name_table.h"

#include <algorithm>

#include "gyre/base/text/piece_hash.h"

namespace gyre {

size_t NameTable::slot_of(std::string_view name) const {
  const size_t mask = slots_.size() - 1;
  size_t slot = piece_hash(name) & mask;
  while (slots_[slot] != 0 && (*this)[slots_[slot] - 1] != name) slot = (slot + 1) & mask;
  return slot;
}

void NameTable::grow() {
  slots_.assign(std::max<size_t>(64, slots_.size() * 2), 0);
  for (int64_t i = 0; i < size(); ++i) {
    const auto number = static_cast<uint32_t>(i);
    slots_[slot_of((*this)[number])] = number + 1;
  }
}

uint32_t NameTable::add(std::string_view name) {
  if (static_cast<size_t>(size()) * 2 >= slots_.size()) grow();
  const size_t slot = slot_of(name);
  if (slots_[slot] != 0) return slots_[slot] - 1;
  text_.append(name);
  begins_.push_back(text_.size());
  slots_[slot] = static_cast<uint32_t>(size());
  return slots_[slot] - 1;
}

std::optional<uint32_t> NameTable::find(std::string_view name) const {
  if (slots_.empty()) return {};
  const uint32_t found = slots_[slot_of(name)];
  return found == 0 ? std::nullopt : std::optional(found - 1);
}

}  // namespace gyre
