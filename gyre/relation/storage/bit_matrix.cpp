#include "gyre/relation/storage/bit_matrix.h"

#include <algorithm>

namespace gyre {
namespace {

// In place, word i being row i: exchanges blocks of 32, then 16, ... (Warren, Hacker's Delight,
// section 7-3).
void transpose_block(uint64_t* block) {
  uint64_t mask = 0x00000000FFFFFFFF;
  for (int step = 32; step; step >>= 1, mask ^= mask << step) {
    for (int base = 0; base < 64; base += 2 * step) {
      for (int i = base; i < base + step; ++i) {
        const uint64_t moved = ((block[i] >> step) ^ block[i + step]) & mask;
        block[i] ^= moved << step;
        block[i + step] ^= moved;
      }
    }
  }
}

}  // namespace

BitMatrix::BitMatrix(uint32_t rows, uint32_t columns)
    : rows_(rows),
      columns_(columns),
      words_(row_words(columns)),
      data_(static_cast<size_t>(rows * words_)) {}

BitMatrix BitMatrix::transposed() const {
  BitMatrix result(columns_, rows_);
  uint64_t block[64];
  for (uint32_t top = 0; top < rows_; top += 64) {
    const uint32_t height = std::min<uint32_t>(64, rows_ - top);
    for (int64_t w = 0; w < words_; ++w) {
      uint64_t any = 0;
      for (uint32_t i = 0; i < height; ++i) any |= block[i] = row(top + i)[w];
      if (!any) continue;
      std::fill(block + height, block + 64, 0);
      transpose_block(block);
      const auto left = static_cast<uint32_t>(64 * w);
      const uint32_t width = std::min<uint32_t>(64, columns_ - left);
      for (uint32_t i = 0; i < width; ++i) result.row(left + i)[top / 64] = block[i];
    }
  }
  return result;
}

void SparseRows::clear() {
  for (uint32_t r : used_) {
    std::fill_n(matrix_.row(r), matrix_.words(), 0);
    listed_[r] = 0;
  }
  used_.clear();
}

SparseRows SparseRows::transposed() const {
  SparseRows result;
  result.matrix_ = matrix_.transposed();
  result.listed_.resize(result.matrix_.rows());
  const int64_t words = result.matrix_.words();
  for (uint32_t r = 0; r < result.matrix_.rows(); ++r) {
    const uint64_t* row = result.matrix_.row(r);
    if (std::any_of(row, row + words, [](uint64_t word) { return word != 0; })) result.use(r);
  }
  return result;
}

}  // namespace gyre
