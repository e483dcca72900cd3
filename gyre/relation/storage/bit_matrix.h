#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "gyre/base/memory/large_vector.h"
#include "gyre/relation/storage/bit_words.h"

namespace gyre {

/// A binary relation as a matrix of bits: row x has bit y where it holds for (x, y).
class BitMatrix {
 public:
  BitMatrix() = default;
  /// All zero.
  BitMatrix(uint32_t rows, uint32_t columns);

  [[nodiscard]] uint32_t rows() const { return rows_; }
  [[nodiscard]] uint32_t columns() const { return columns_; }
  /// Words of a row.
  [[nodiscard]] int64_t words() const { return words_; }
  [[nodiscard]] uint64_t* row(uint32_t r) { return data_.data() + r * words_; }
  [[nodiscard]] const uint64_t* row(uint32_t r) const { return data_.data() + r * words_; }
  [[nodiscard]] bool has(uint32_t r, uint32_t c) const {
    return r < rows_ && c < columns_ && has_bit(row(r), c);
  }
  [[nodiscard]] int64_t bytes() const {
    return static_cast<int64_t>(data_.capacity() * sizeof(uint64_t));
  }
  /// Bytes of a matrix of this size.
  static int64_t bytes_of(uint64_t rows, uint64_t columns) {
    return static_cast<int64_t>(rows) * row_words(columns) * 8;
  }
  /// Words of a row with this many columns: whole vectors of 64 bytes, if it has more than one.
  static constexpr int64_t row_words(uint64_t columns) {
    const int64_t words = words_for(static_cast<int64_t>(columns));
    return words <= 8 ? words : (words + 7) / 8 * 8;
  }
  /// The matrix with rows and columns exchanged.
  [[nodiscard]] BitMatrix transposed() const;

 private:
  uint32_t rows_ = 0, columns_ = 0;
  int64_t words_ = 0;
  LargeVector<uint64_t> data_{};
};

/// A matrix of which few rows may be in use: those that are not all zero.
class SparseRows {
 public:
  SparseRows() = default;
  SparseRows(uint32_t rows, uint32_t columns) : matrix_(rows, columns), listed_(rows) {}

  [[nodiscard]] const BitMatrix& matrix() const { return matrix_; }
  /// The rows in use, in the order of their first use.
  [[nodiscard]] const std::vector<uint32_t>& used() const { return used_; }
  [[nodiscard]] bool empty() const { return used_.empty(); }
  [[nodiscard]] bool uses(uint32_t r) const { return listed_[r]; }
  /// A row for writing, in use from now on.
  uint64_t* use(uint32_t r) {
    if (!listed_[r]) {
      listed_[r] = 1;
      used_.push_back(r);
    }
    return matrix_.row(r);
  }
  /// All zero again.
  void clear();
  [[nodiscard]] SparseRows transposed() const;

 private:
  BitMatrix matrix_{};
  std::vector<uint8_t> listed_{};
  std::vector<uint32_t> used_{};
};

}  // namespace gyre
