#include "gyre/packed/block_product.h"

#include <algorithm>
#include <vector>

#include "gyre/ops/linalg/gemm.h"
#include "gyre/packed/codec/matrix_codec.h"
#include "gyre/packed/codec/row_block_tiles.h"
#include "gyre/packed/packed_groups.h"

namespace gyre {
namespace {

// Up to as many rows of x are multiplied by blocks; for more it takes less time to decode these
// once.
constexpr int64_t kFewRows = 8;

// A matrix of blocks by its rows.
class BlockRows {
 public:
  explicit BlockRows(const PackedMatrix& w)
      : kernels_(matrix_functions(*w.layout.format).kernels()),
        bytes_(reinterpret_cast<const uint8_t*>(w.bytes)),
        row_bytes_(matrix_functions(*w.layout.format).row_bytes(w.layout.cols)),
        blocks_((w.layout.cols + kBlockNumbers - 1) / kBlockNumbers) {}

  [[nodiscard]] const BlockKernels& kernels() const { return kernels_; }
  [[nodiscard]] int64_t blocks() const { return blocks_; }
  [[nodiscard]] int64_t width() const { return blocks_ * kBlockNumbers; }
  [[nodiscard]] const uint8_t* row(int64_t i) const { return bytes_ + i * row_bytes_; }

  // Numbers of a part of the matrix, up to kInputs columns of it.
  static constexpr int64_t kInputs = 256, kStride = kInputs + 2 * kBlockNumbers;
  // Decodes the blocks of `rows` rows that have columns `first` to `first + count`, kStride numbers
  // apart; the address of the first.
  const float* decode(int64_t row0, int64_t rows, int64_t first, int64_t count, float* to) const {
    const int64_t block = first / kBlockNumbers,
                  end = (first + count + kBlockNumbers - 1) / kBlockNumbers;
    const int64_t skipped = block * (row_bytes_ / blocks_);
    for (int64_t i = 0; i < rows; ++i)
      kernels_.decode(row(row0 + i) + skipped, end - block, to + i * kStride);
    return to + first % kBlockNumbers;
  }

 private:
  const BlockKernels& kernels_;
  const uint8_t* bytes_;
  int64_t row_bytes_, blocks_;
};

// Rows of x [n, cols] with zeros up to whole blocks.
std::vector<float> widened(const float* x, int64_t n, int64_t cols, int64_t width) {
  std::vector<float> wide(static_cast<size_t>(n * width));
  for (int64_t i = 0; i < n; ++i) std::copy_n(x + i * cols, cols, wide.data() + i * width);
  return wide;
}

void multiply_few(const PackedMatrix& w, const float* x, int64_t n, float* y) {
  const PackedLayout& l = w.layout;
  const BlockRows rows(w);
  std::vector<float> wide;
  if (rows.width() > l.cols) {
    wide = widened(x, n, l.cols, rows.width());
    x = wide.data();
  }
  parallel_for(l.rows, weights_at_once(l.cols), [&](int64_t begin, int64_t end) {
    rows.kernels().multiply({.w = rows.row(begin),
                             .outputs = end - begin,
                             .blocks = rows.blocks(),
                             .x = x,
                             .rows = n,
                             .x_row = rows.width(),
                             .y = y + begin,
                             .y_row = l.rows});
  });
}

constexpr int64_t kDecodedRows = Panels<float>::kColumns;

// A block of B, which is w or, `transposed`, w^T: then rows of w are columns of it.
void put_blocks(const BlockRows& w, bool transposed, const Panels<float>& to) {
  const MatrixPart& b = to.block();
  const int64_t row = transposed ? b.col : b.row, rows = transposed ? b.cols : b.rows,
                col = transposed ? b.row : b.col, cols = transposed ? b.rows : b.cols;
  alignas(64) float numbers[kDecodedRows * BlockRows::kStride];
  for (int64_t output = row; output < row + rows; output += kDecodedRows) {
    const int64_t outputs = std::min(kDecodedRows, row + rows - output);
    for (int64_t i = 0; i < cols; i += BlockRows::kInputs) {
      const int64_t first = col + i, n = std::min(cols - i, BlockRows::kInputs);
      const float* from = w.decode(output, outputs, first, n, numbers);
      if (transposed) {
        to.put({first, n, output, outputs}, from, 1, BlockRows::kStride);
      } else {
        to.put({output, outputs, first, n}, from, BlockRows::kStride, 1);
      }
    }
  }
}

}  // namespace

bool has_block_kernels(const Codec& format) {
  return !format.has_rings && matrix_functions(format).kernels != nullptr;
}

void multiply_blocks_transposed(const PackedMatrix& w, const float* x, int64_t n, float* y) {
  if (n <= kFewRows) return multiply_few(w, x, n, y);
  const PackedLayout& l = w.layout;
  const BlockRows rows(w);
  const auto put = [&](const Panels<float>& to) { put_blocks(rows, true, to); };
  gemm<float>({.m = n, .n = l.rows, .k = l.cols, .a = x, .a_row = l.cols, .c = y, .c_row = l.rows},
              put);
}

void multiply_blocks(const PackedMatrix& w, const float* x, int64_t n, float* y) {
  const PackedLayout& l = w.layout;
  const BlockRows rows(w);
  const auto put = [&](const Panels<float>& to) { put_blocks(rows, false, to); };
  gemm<float>({.m = n, .n = l.cols, .k = l.rows, .a = x, .a_row = l.rows, .c = y, .c_row = l.cols},
              put);
}

}  // namespace gyre
