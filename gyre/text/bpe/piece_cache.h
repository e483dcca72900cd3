#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

namespace gyre {

/// Remembers the ids of short pieces of text. Reading takes no lock; entries never move or change,
/// and a full table remembers nothing more, so that memory is bounded (a few MB).
class PieceCache {
 public:
  PieceCache();
  PieceCache(const PieceCache&) = delete;
  PieceCache& operator=(const PieceCache&) = delete;
  ~PieceCache();

  static constexpr size_t kLongestPiece = 64;  ///< bytes; longer ones are not remembered

  /// Empty when the piece is not known. `hash` is `piece_hash(piece)`.
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
