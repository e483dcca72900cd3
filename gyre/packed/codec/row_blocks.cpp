#include <algorithm>
#include <cmath>

#include "gyre/base/thread_pool.h"
#include "gyre/kernel/per_isa.h"
#include "gyre/packed/codec/matrix_codec.h"
#include "gyre/packed/codec/row_block_tiles.h"
#include "gyre/packed/codec/stored.h"

// Formats in which every row is cut into blocks of numbers, each with a scale: blocks of 32 of GGUF
// (q8_0, q4_0), those of 64 with the levels of QLoRA (nf4), and whole rows (int8). Blocks follow
// one another; what is missing of the last one of a row is filled up with zeros.

namespace gyre {

GYRE_DECLARE_TILES(RowBlockTiles, row_block)

GYRE_TILES_FUNCTION(const RowBlockTiles&, row_block_tiles, RowBlockTiles, row_block)

namespace {

constexpr int64_t kRowsAtOnce = 16;

// 0 where numbers are too small for a scale of 16 bits to matter.
float inverse(float scale) { return std::fabs(scale) < 1e-30F ? 0 : 1 / scale; }

// The number of largest magnitude, with its sign; the first of several.
template <int n>
float extreme(const float (&x)[n]) {
  return *std::max_element(x, x + n, [](float a, float b) { return std::fabs(a) < std::fabs(b); });
}

struct Q8 {
  static constexpr int kNumbers = kBlockNumbers, kBytes = kQ8Bytes;

  static void encode(const float (&x)[kNumbers], std::byte* to) {
    const float scale = std::fabs(extreme(x)) / 127, by = inverse(scale);
    store_half(scale, to);
    for (int i = 0; i < kNumbers; ++i)
      to[2 + i] = static_cast<std::byte>(static_cast<int8_t>(std::round(x[i] * by)));
  }
  static const BlockKernels& kernels() { return row_block_tiles().q8_0; }
};

// 16 levels, of which the last one is the extreme number; the first half of the block is in the low
// bits.
struct Q4 {
  static constexpr int kNumbers = kBlockNumbers, kBytes = kQ4Bytes;

  static void encode(const float (&x)[kNumbers], std::byte* to) {
    const float scale = extreme(x) / -8, by = inverse(scale);
    store_half(scale, to);
    const auto level = [&](float value) {
      return static_cast<std::byte>(std::min(15, static_cast<int>(value * by + 8.5F)));
    };
    for (int i = 0; i < 16; ++i) to[2 + i] = level(x[i]) | level(x[16 + i]) << 4;
  }
  static const BlockKernels& kernels() { return row_block_tiles().q4_0; }
};

// T. Dettmers et al., "QLoRA: Efficient Finetuning of Quantized LLMs", 2023, appendix E; two
// numbers a byte, the first in the low bits.
struct Nf4 {
  static constexpr int kNumbers = 64, kBytes = 34;
  static constexpr float kLevels[16] = {-1.0F,
                                        -0.6961928009986877F,
                                        -0.5250730514526367F,
                                        -0.39491748809814453F,
                                        -0.28444138169288635F,
                                        -0.18477343022823334F,
                                        -0.09105003625154495F,
                                        0.0F,
                                        0.07958029955625534F,
                                        0.16093020141124725F,
                                        0.24611230194568634F,
                                        0.33791524171829224F,
                                        0.44070982933044434F,
                                        0.5626170039176941F,
                                        0.7229568362236023F,
                                        1.0F};

  static int nearest(float x) {
    int level = 0;
    for (int i = 1; i < 16; ++i) level += x > (kLevels[i - 1] + kLevels[i]) / 2 ? 1 : 0;
    return level;
  }
  static void encode(const float (&x)[kNumbers], std::byte* to) {
    const float scale = std::fabs(extreme(x)), by = inverse(scale);
    store_half(scale, to);
    for (int i = 0; i < kNumbers / 2; ++i)
      to[2 + i] = static_cast<std::byte>(nearest(x[2 * i] * by) | nearest(x[2 * i + 1] * by) << 4);
  }
  static void decode(const std::byte* from, float* x) {
    const float scale = stored_half(from);
    for (int i = 0; i < kNumbers / 2; ++i) {
      const auto both = static_cast<int>(from[2 + i]);
      x[2 * i] = scale * kLevels[both & 15];
      x[2 * i + 1] = scale * kLevels[both >> 4];
    }
  }
};

template <class Block>
concept HasKernels = requires { Block::kernels(); };

template <class Block>
struct RowsOf {
  static int64_t blocks(const MatrixSize& size) {
    return (size.cols + Block::kNumbers - 1) / Block::kNumbers;
  }
  static int64_t row_bytes(int64_t cols) { return blocks({1, cols}) * Block::kBytes; }
  static int64_t bytes(const MatrixSize& size) { return size.rows * row_bytes(size.cols); }

  // Calls f(block of row, numbers inside) for the blocks of a row.
  static void each(const MatrixSize& size, int64_t row, auto f) {
    for (int64_t b = 0; b < blocks(size); ++b) {
      const int64_t col = b * Block::kNumbers;
      f((row * blocks(size) + b) * Block::kBytes, col,
        std::min<int64_t>(Block::kNumbers, size.cols - col));
    }
  }
  static void encode(const MatrixSize& size, const float* x, std::byte* to, WeightsDone& done) {
    parallel_for(size.rows, kRowsAtOnce, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        each(size, row, [&](int64_t at, int64_t col, int64_t n) {
          float numbers[Block::kNumbers] = {};
          std::copy_n(x + row * size.cols + col, n, numbers);
          Block::encode(numbers, to + at);
        });
      }
      done.add((end - begin) * size.cols);
    });
  }
  static void decode(const MatrixSize& size, const std::byte* from, int64_t first, int64_t count,
                     float* to) {
    for (int64_t row = first; row < first + count; ++row, to += size.cols) {
      const std::byte* blocks = from + row * row_bytes(size.cols);
      const int64_t whole = size.cols / Block::kNumbers, done = whole * Block::kNumbers;
      decode_blocks(blocks, whole, to);
      if (done == size.cols) continue;
      float last[Block::kNumbers];
      decode_blocks(blocks + whole * Block::kBytes, 1, last);
      std::copy_n(last, size.cols - done, to + done);
    }
  }
  static const char* fault(const MatrixSize& size, const std::byte* from) {
    for (int64_t i = 0; i < size.rows * blocks(size); ++i) {
      if (!std::isfinite(stored_half(from + i * Block::kBytes)))
        return "a block has a scale that is not finite";
    }
    return nullptr;
  }
  static constexpr MatrixFunctions kFunctions = [] {
    MatrixFunctions all{bytes, encode, decode, fault, row_bytes};
    if constexpr (HasKernels<Block>) all.kernels = Block::kernels;
    return all;
  }();

 private:
  static void decode_blocks(const std::byte* from, int64_t count, float* to) {
    if constexpr (HasKernels<Block>) {
      Block::kernels().decode(reinterpret_cast<const uint8_t*>(from), count, to);
    } else {
      for (int64_t b = 0; b < count; ++b)
        Block::decode(from + b * Block::kBytes, to + b * Block::kNumbers);
    }
  }
};

// ---- int8: f32 scale of a row, then its numbers ----

constexpr int64_t kScaleBytes = sizeof(float);

int64_t int8_row_bytes(int64_t cols) { return kScaleBytes + cols; }
int64_t int8_bytes(const MatrixSize& size) { return size.rows * int8_row_bytes(size.cols); }

void int8_encode(const MatrixSize& size, const float* x, std::byte* to, WeightsDone& done) {
  parallel_for(size.rows, kRowsAtOnce, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const float* numbers = x + row * size.cols;
      std::byte* out = to + row * int8_row_bytes(size.cols);
      float most = 0;
      for (int64_t i = 0; i < size.cols; ++i) most = std::max(most, std::fabs(numbers[i]));
      const float scale = most / 127, by = most < 1e-36F ? 0 : 127 / most;  // which is finite
      store(scale, out);
      for (int64_t i = 0; i < size.cols; ++i) {
        out[kScaleBytes + i] =
            static_cast<std::byte>(static_cast<int8_t>(std::round(numbers[i] * by)));
      }
    }
    done.add((end - begin) * size.cols);
  });
}

void int8_decode(const MatrixSize& size, const std::byte* from, int64_t first, int64_t count,
                 float* to) {
  for (int64_t row = first; row < first + count; ++row, to += size.cols) {
    const std::byte* numbers = from + row * int8_row_bytes(size.cols);
    const float scale = stored<float>(numbers);
    for (int64_t i = 0; i < size.cols; ++i)
      to[i] = scale * static_cast<int8_t>(numbers[kScaleBytes + i]);
  }
}

const char* int8_fault(const MatrixSize& size, const std::byte* from) {
  for (int64_t row = 0; row < size.rows; ++row) {
    if (!std::isfinite(stored<float>(from + row * int8_row_bytes(size.cols)) * 128))
      return "a row has a scale that is not finite";
  }
  return nullptr;
}

}  // namespace

constinit const MatrixFunctions q8_0_functions = RowsOf<Q8>::kFunctions;
constinit const MatrixFunctions q4_0_functions = RowsOf<Q4>::kFunctions;
constinit const MatrixFunctions nf4_functions = RowsOf<Nf4>::kFunctions;
constinit const MatrixFunctions int8_functions{int8_bytes, int8_encode, int8_decode, int8_fault,
                                               int8_row_bytes};

}  // namespace gyre
