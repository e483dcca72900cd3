#include "gyre/text/bpe/piece_cache.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "gyre/base/text/piece_hash.h"

namespace gyre {
namespace {

std::vector<int32_t> ids_of(int i) { return std::vector<int32_t>(1 + i % 5, i); }

TEST(PieceCache, IsBounded) {
  PieceCache cache;
  int known = 0;
  constexpr int kPieces = 200000;  // more than the capacity
  for (int i = 0; i < kPieces; ++i) {
    const std::string piece = "piece " + std::to_string(i);
    EXPECT_TRUE(cache.find(piece, piece_hash(piece)).empty());
    cache.insert(piece, piece_hash(piece), ids_of(i));
  }
  for (int i = 0; i < kPieces; ++i) {
    const std::string piece = "piece " + std::to_string(i);
    const std::span<const int32_t> found = cache.find(piece, piece_hash(piece));
    if (found.empty()) continue;
    ++known;
    ASSERT_EQ(std::vector<int32_t>(found.begin(), found.end()), ids_of(i));
  }
  EXPECT_GT(known, 1 << 15);
  EXPECT_LE(known, 1 << 16);
}

TEST(PieceCache, EqualHashesAreDistinguished) {
  PieceCache cache;
  for (int i = 0; i < 8; ++i) cache.insert("p" + std::to_string(i), 42, ids_of(i));
  for (int i = 0; i < 8; ++i) EXPECT_EQ(cache.find("p" + std::to_string(i), 42)[0], i);
  EXPECT_TRUE(cache.find("p8", 42).empty());
}

TEST(PieceCache, LongPiecesAreNotCached) {
  PieceCache cache;
  const std::string piece(PieceCache::kLongestPiece + 1, 'x');
  cache.insert(piece, 1, ids_of(1));
  EXPECT_TRUE(cache.find(piece, 1).empty());
}

TEST(PieceCache, ManyThreads) {
  PieceCache cache;
  const auto work = [&] {
    for (int i = 0; i < 5000; ++i) {
      const std::string piece = std::to_string(i);
      const uint64_t hash = piece_hash(piece);
      cache.insert(piece, hash, ids_of(i));
      const std::span<const int32_t> found = cache.find(piece, hash);
      ASSERT_FALSE(found.empty());
      ASSERT_EQ(found[0], i);
    }
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
}

TEST(PieceHash, LengthsAndBytesMatter) {
  std::string text;
  std::vector<uint64_t> seen;
  for (int length = 0; length < 100; ++length) {
    seen.push_back(piece_hash(text));
    EXPECT_TRUE(same_piece(std::string(text).data(), text.data(), text.size()));
    for (size_t i = 0; i < text.size(); ++i) {
      std::string other = text;
      other[i] ^= 1;
      EXPECT_NE(piece_hash(other), seen.back()) << length << " " << i;
      EXPECT_FALSE(same_piece(other.data(), text.data(), text.size())) << length << " " << i;
    }
    text += static_cast<char>('a' + length % 26);
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::unique(seen.begin(), seen.end()), seen.end());
}

}  // namespace
}  // namespace gyre
