#include "gyre/packed/codec/row_block_tiles.h"

#include "gyre/kernel/export_tiles.h"
#include "gyre/simd/byte_lanes.h"
#include "gyre/simd/convert16.h"

namespace gyre {
namespace {

using V = Vec<float>;
constexpr int kLanes = V::width;                // 4, 8 or 16
constexpr int kParts = kBlockNumbers / kLanes;  // vectors of a block
constexpr int kAhead = 1024;                    // bytes that are prefetched
using Ints = RawOf<int32_t, kLanes>;

GYRE_INLINE V scale_of(const uint8_t* block) {
  uint16_t half;
  __builtin_memcpy(&half, block, sizeof half);
#if defined(__F16C__)
  using Halves = RawOf<int16_t, 8>;
  return V::of(__builtin_ia32_vcvtph2ps(Halves{int16_t(half)})[0]);
#else
  uint16_t all[kLanes] = {half};
  return V::of(load_f16(all)[0]);
#endif
}

// A block of signed bytes.
struct Bytes8 {
  static constexpr int kBytes = kQ8Bytes;

  explicit GYRE_INLINE Bytes8(const uint8_t* block) : numbers_(block + 2) {}
  GYRE_INLINE V part(int p) const {
    const auto* bytes = reinterpret_cast<const int8_t*>(numbers_) + p * kLanes;
    return V::from(raw_convert<float, kLanes>(raw_widen_bytes<kLanes>(bytes)));
  }

 private:
  const uint8_t* numbers_;
};

// A block of 4 bits: the first half of the numbers is in the low ones of 16 bytes.
struct Nibbles {
  static constexpr int kBytes = kQ4Bytes;

  explicit GYRE_INLINE Nibbles(const uint8_t* block) : numbers_(block + 2) {}
  GYRE_INLINE V part(int p) const {
    constexpr int kHalf = kParts / 2;
    const Ints both = raw_widen_bytes<kLanes>(numbers_ + p % kHalf * kLanes);
    const Ints level = p < kHalf ? both & 15 : both >> 4;
    return V::from(raw_convert<float, kLanes>(level - 8));
  }

 private:
  const uint8_t* numbers_;
};

template <class Block>
void decode(const uint8_t* from, int64_t blocks, float* to) noexcept {
  for (int64_t b = 0; b < blocks; ++b, from += Block::kBytes, to += kBlockNumbers) {
    const V scale = scale_of(from);
    const Block block(from);
#pragma GCC unroll 8
    for (int p = 0; p < kParts; ++p) (scale * block.part(p)).store(to + p * kLanes);
  }
}

// A row of w times one of x. Sums of a block, times its scale, go to two chains in turn, since each
// waits for the one before.
template <class Block>
GYRE_INLINE float multiply_row(const uint8_t* w, int64_t blocks, const float* x) {
  V sums[2] = {V(0.0), V(0.0)};
  const auto add = [&](int64_t b, V& sum) GYRE_LAMBDA_INLINE {
    const uint8_t* from = w + b * Block::kBytes;
    prefetch(from + kAhead);
    const Block block(from);
    const float* numbers = x + b * kBlockNumbers;
    V part = block.part(0) * V::load(numbers);
#pragma GCC unroll 8
    for (int p = 1; p < kParts; ++p) part = fma(block.part(p), V::load(numbers + p * kLanes), part);
    sum = fma(scale_of(from), part, sum);
  };
  int64_t b = 0;
  for (; b + 2 <= blocks; b += 2) {
    add(b, sums[0]);
    add(b + 1, sums[1]);
  }
  if (b < blocks) add(b, sums[0]);
  return sum_of_lanes(sums[0] + sums[1]);
}

// O rows of w times R of x: a vector of either is loaded once.
template <class Block, size_t O, size_t R>
GYRE_INLINE void multiply_rows(const uint8_t* w, int64_t blocks, const float* x, int64_t x_row,
                               float* y, int64_t y_row) {
  V sums[O][R];
  for (auto& of_output : sums) {
    for (V& sum : of_output) sum = V(0.0);
  }
  for (int64_t b = 0; b < blocks; ++b, w += Block::kBytes, x += kBlockNumbers) {
    V scales[O];
    for (size_t o = 0; o < O; ++o) {
      const uint8_t* from = w + int64_t(o) * blocks * Block::kBytes;
      prefetch(from + kAhead);
      scales[o] = scale_of(from);
    }
#pragma GCC unroll 8
    for (int p = 0; p < kParts; ++p) {
      V weights[O];
#pragma GCC unroll 4
      for (size_t o = 0; o < O; ++o)
        weights[o] = scales[o] * Block(w + int64_t(o) * blocks * Block::kBytes).part(p);
#pragma GCC unroll 4
      for (size_t r = 0; r < R; ++r) {
        const V factor = V::load(x + int64_t(r) * x_row + p * kLanes);
#pragma GCC unroll 4
        for (size_t o = 0; o < O; ++o) sums[o][r] = fma(weights[o], factor, sums[o][r]);
      }
    }
  }
  for (size_t o = 0; o < O; ++o) {
    for (size_t r = 0; r < R; ++r) y[int64_t(r) * y_row + int64_t(o)] = sum_of_lanes(sums[o][r]);
  }
}

// All rows of w times R of x, O at once; those that are left over give the same bits.
template <class Block, size_t O, size_t R>
GYRE_INLINE void multiply_all(const BlockProduct& p, int64_t row) {
  const int64_t w_row = p.blocks * Block::kBytes;
  const float* x = p.x + row * p.x_row;
  float* y = p.y + row * p.y_row;
  int64_t o = 0;
  for (; o + int64_t(O) <= p.outputs; o += O)
    multiply_rows<Block, O, R>(p.w + o * w_row, p.blocks, x, p.x_row, y + o, p.y_row);
  for (; o < p.outputs; ++o)
    multiply_rows<Block, 1, R>(p.w + o * w_row, p.blocks, x, p.x_row, y + o, p.y_row);
}

template <class Block>
void multiply(const BlockProduct& p) noexcept {
  int64_t row = 0;
  for (; row + 4 <= p.rows; row += 4) multiply_all<Block, 2, 4>(p, row);
  if (p.rows - row == 3) return multiply_all<Block, 2, 3>(p, row);
  if (p.rows - row == 2) return multiply_all<Block, 4, 2>(p, row);
  if (row == p.rows) return;
  for (int64_t o = 0; o < p.outputs; ++o) {
    p.y[row * p.y_row + o] =
        multiply_row<Block>(p.w + o * p.blocks * Block::kBytes, p.blocks, p.x + row * p.x_row);
  }
}

}  // namespace

GYRE_EXPORT_TILES(RowBlockTiles, row_block){{decode<Bytes8>, multiply<Bytes8>},
                                            {decode<Nibbles>, multiply<Nibbles>}};

}  // namespace gyre
