#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

namespace gyre {

/// Cache of the ids of short pieces. Reads are lock-free; entries never move or change, and a full
/// table accepts no more entries, so memory is bounded (a few MB).
class PieceCache {
 public:
  PieceCache();
  PieceCache(const PieceCache&) = delete;
  PieceCache& operator=(const PieceCache&) = delete;
  ~PieceCache();

  static constexpr size_t kLongestPiece = 64;  ///< bytes; longer pieces are not cached

  /// Empty if the piece is not cached. `hash` is `piece_hash(piece)`.
  [[nodiscard]] std::span<const int32_t> find(std::string_view piece, uint64_t hash) const;
  void insert(std::string_view piece, uint64_t hash, std::span<const int32_t> ids);

 private:
  struct Entry;
  static constexpr size_t kSlots = size_t{1} << 16, kProbes = 8;

  Entry* allocate(size_t bytes);

  std::vector<std::atomic<Entry*>> slots_;
  std::mutex writing_;
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  size_t block_left_ = 0;
};

}  // namespace gyre
