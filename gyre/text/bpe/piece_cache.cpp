#include "gyre/text/bpe/piece_cache.h"

#include <cstring>

#include "gyre/base/text/piece_hash.h"

namespace gyre {

struct PieceCache::Entry {
  uint64_t hash;
  uint32_t length, count;
  // count ids and length bytes follow
  const int32_t* ids() const { return reinterpret_cast<const int32_t*>(this + 1); }
  int32_t* ids() { return reinterpret_cast<int32_t*>(this + 1); }
  const char* text() const { return reinterpret_cast<const char*>(ids() + count); }
  char* text() { return reinterpret_cast<char*>(ids() + count); }
};

PieceCache::PieceCache() : slots_(kSlots) {}
PieceCache::~PieceCache() = default;

std::span<const int32_t> PieceCache::find(std::string_view piece, uint64_t hash) const {
  for (size_t probe = 0; probe < kProbes; ++probe) {
    const Entry* entry = slots_[(hash + probe) % kSlots].load(std::memory_order_acquire);
    if (entry == nullptr) break;
    if (entry->hash == hash && entry->length == piece.size() &&
        same_piece(entry->text(), piece.data(), piece.size())) {
      return {entry->ids(), entry->count};
    }
  }
  return {};
}

PieceCache::Entry* PieceCache::allocate(size_t bytes) {
  constexpr size_t kBlock = size_t{1} << 16;
  bytes = (bytes + alignof(Entry) - 1) / alignof(Entry) * alignof(Entry);
  if (bytes > block_left_) {
    blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(kBlock));
    block_left_ = kBlock;
  }
  std::byte* at = blocks_.back().get() + (kBlock - block_left_);
  block_left_ -= bytes;
  return new (at) Entry;
}

void PieceCache::insert(std::string_view piece, uint64_t hash, std::span<const int32_t> ids) {
  if (piece.size() > kLongestPiece) return;
  const std::lock_guard lock(writing_);
  if (!find(piece, hash).empty()) return;  // inserted by another thread
  for (size_t probe = 0; probe < kProbes; ++probe) {
    std::atomic<Entry*>& slot = slots_[(hash + probe) % kSlots];
    if (slot.load(std::memory_order_relaxed) != nullptr) continue;
    Entry* entry = allocate(sizeof(Entry) + ids.size_bytes() + piece.size());
    entry->hash = hash;
    entry->length = static_cast<uint32_t>(piece.size());
    entry->count = static_cast<uint32_t>(ids.size());
    std::memcpy(entry->ids(), ids.data(), ids.size_bytes());
    std::memcpy(entry->text(), piece.data(), piece.size());
    slot.store(entry, std::memory_order_release);
    return;
  }
}

}  // namespace gyre
