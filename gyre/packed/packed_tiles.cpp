#include "gyre/packed/packed_tiles.h"

#include "gyre/kernel/export_tiles.h"
#include "gyre/simd/byte_lanes.h"
#include "gyre/simd/vec.h"

namespace gyre {
namespace {

using V = Vec<float>;
constexpr int kLanes = V::width;               // 4, 8 or 16
constexpr int kParts = kTileOutputs / kLanes;  // vectors of a tile's outputs
using Bytes = RawOf<uint8_t, 4 * kLanes>;      // a 32-bit lane for each output
using Pairs = RawOf<uint16_t, 2 * kLanes>;
using Words = RawOf<uint32_t, kLanes>;

// The state of 11 bits of each lane, in both halves, times the two multipliers; the sum of bytes,
// less the mean.
GYRE_INLINE V number_of(Words both, Words multipliers, V mean) {
  const Pairs product = Pairs(both) * Pairs(multipliers);
  return V::from(raw_convert<float, kLanes>(raw_sum_bytes<4 * kLanes>(Bytes(product)))) - mean;
}

// Formats whose ring has 128 bits: step t of a word is output t % 16 of input t / 16. A byte
// shuffle brings the bits of each output to its lane.
template <int bits>
struct Whole {
  static constexpr int kWords = 1, kInputs = 8 / bits;

  // Where the states of an input's outputs lie: the bytes of each lane, and the bits to drop.
  struct Places {
    alignas(64) uint8_t bytes[kInputs][kParts][4 * kLanes];
    alignas(64) uint32_t shift[kInputs][kParts][kLanes];
    constexpr Places() : bytes(), shift() {
      for (int j = 0; j < kInputs; ++j) {
        for (int o = 0; o < kTileOutputs; ++o) {
          const int bit = bits * (16 * j + o), part = o / kLanes, lane = o % kLanes;
          // 4 bits: both halves of the lane get the two bytes; else four bytes
          for (int q = 0; q < 4; ++q) {
            const int byte = (bit / 8 + (bits == 4 ? q % 2 : q)) % 16;
            bytes[j][part][4 * lane + q] = uint8_t(byte ^ 8);  // `hi` comes first
          }
          const uint32_t drop = uint32_t(bit % 8);
          shift[j][part][lane] = bits == 4 ? drop | drop << 16 : drop;
        }
      }
    }
  };
  static constexpr Places kPlaces{};

  explicit GYRE_INLINE Whole(const Packed128* words) {
    RawOf<uint8_t, 16> word;
    __builtin_memcpy(&word, words, 16);
    if constexpr (kLanes == 4)
      __builtin_memcpy(&word_, &word, 16);
    else
      for (int i = 0; i < kLanes / 4; ++i)
        __builtin_memcpy(reinterpret_cast<char*>(&word_) + 16 * i, &word, 16);
  }
  GYRE_INLINE Words states(int input, int part) const {
    Bytes from;
    Words drop;
    __builtin_memcpy(&from, kPlaces.bytes[input][part], sizeof from);
    __builtin_memcpy(&drop, kPlaces.shift[input][part], sizeof drop);
    const Bytes found = raw_shuffle_bytes<4 * kLanes>(word_, from);
    if constexpr (bits == 4) {
      // drops 0 or 4 bits; shifts to the left by 5 or 1 and back leave the 11 bits of the state
#if defined(__AVX512BW__)
      return Words((Pairs(found) >> Pairs(drop)) & uint16_t(0x7ff));
#else
      const Pairs up = Pairs(drop) == 0 ? Pairs{} + uint16_t(32) : Pairs{} + uint16_t(2);
      return Words((Pairs(found) * up) >> 5);
#endif
    } else {
#if defined(__AVX2__)
      const Words state = (Words(found) >> drop) & 0x7ffu;
#else
      Words up;  // no shifts by lane: to the left by a product, and back
      for (int i = 0; i < kLanes; ++i) up[i] = 1u << (21 - kPlaces.shift[input][part][i]);
      const Words state = (Words(found) * up) >> 21;
#endif
      return state | state << 16;
    }
  }

 private:
  Bytes word_;
};

// Three bits: word w of eight has outputs 2 w (first 21 steps) and 2 w + 1. A base of 32 bits holds
// 8 steps of each output.
struct Thirds {
  static constexpr int kWords = 8, kInputs = 21;

  explicit GYRE_INLINE Thirds(const Packed128* words) {
    for (int w = 0; w < kWords; ++w) {
      const uint64_t lo = words[w].lo, hi = words[w].hi;
      const uint64_t second = lo >> 63 | hi << 1 | lo << 63;  // from bit 63 on; after 125 comes 0
      put(2 * w, lo, hi);
      put(2 * w + 1, second, lo >> 1);
    }
  }
  GYRE_INLINE Words states(int input, int part) const {
    Words base;
    __builtin_memcpy(&base, bases_[input / 8] + part * kLanes, sizeof base);
    const Words state = (base >> uint32_t(input % 8 * 3)) & 0x7ffu;
    return state | state << 16;
  }

 private:
  // Bits 0, 24 and 48 on of the 128 that an output's steps begin with.
  GYRE_INLINE void put(int output, uint64_t low, uint64_t high) {
    bases_[0][output] = uint32_t(low);
    bases_[1][output] = uint32_t(low >> 24);
    bases_[2][output] = uint32_t(low >> 48 | high << 16);
  }
  alignas(64) uint32_t bases_[3][kTileOutputs];
};

template <class Tile>
GYRE_INLINE void decode_tiles(const PackedCode& code, const Packed128* words, int64_t tiles,
                              float* numbers) {
  const Words multipliers = raw_splat<uint32_t, kLanes>(code.multipliers);
  const V mean = V::of(code.mean), scale = V::of(code.scale);
  for (int64_t t = 0; t < tiles; ++t) {
    const Tile tile(words + t * Tile::kWords);
    float* to = numbers + t * Tile::kInputs * kTileOutputs;
#pragma GCC unroll 21
    for (int j = 0; j < Tile::kInputs; ++j) {
#pragma GCC unroll 4
      for (int p = 0; p < kParts; ++p) {
        (number_of(tile.states(j, p), multipliers, mean) * scale)
            .store(to + j * kTileOutputs + p * kLanes);
      }
    }
  }
}

template <class Tile>
GYRE_INLINE void add_row_of(const PackedCode& code, const Packed128* words, int64_t tiles,
                            const float* x, float* sums) {
  const Words multipliers = raw_splat<uint32_t, kLanes>(code.multipliers);
  const V mean = V::of(code.mean);
  // two chains of sums, since each waits for the one before
  V sum[2][kParts];
  for (int p = 0; p < kParts; ++p) {
    sum[0][p] = V::load(sums + p * kLanes);
    sum[1][p] = V(0.0);
  }
  for (int64_t t = 0; t < tiles; ++t) {
    const Tile tile(words + t * Tile::kWords);
    const float* from = x + t * Tile::kInputs;
#pragma GCC unroll 21
    for (int j = 0; j < Tile::kInputs; ++j) {
      const V factor = V::of(from[j]);
#pragma GCC unroll 4
      for (int p = 0; p < kParts; ++p) {
        const V number = number_of(tile.states(j, p), multipliers, mean);
        sum[j % 2][p] = fma(factor, number, sum[j % 2][p]);
      }
    }
  }
  for (int p = 0; p < kParts; ++p) (sum[0][p] + sum[1][p]).store(sums + p * kLanes);
}

void decode(const PackedCode& code, const Packed128* words, int64_t tiles,
            float* numbers) noexcept {
  switch (code.bits) {
    case 1:
      return decode_tiles<Whole<1>>(code, words, tiles, numbers);
    case 2:
      return decode_tiles<Whole<2>>(code, words, tiles, numbers);
    case 3:
      return decode_tiles<Thirds>(code, words, tiles, numbers);
    default:
      return decode_tiles<Whole<4>>(code, words, tiles, numbers);
  }
}

void add_row(const PackedCode& code, const Packed128* words, int64_t tiles, const float* x,
             float* sums) noexcept {
  switch (code.bits) {
    case 1:
      return add_row_of<Whole<1>>(code, words, tiles, x, sums);
    case 2:
      return add_row_of<Whole<2>>(code, words, tiles, x, sums);
    case 3:
      return add_row_of<Thirds>(code, words, tiles, x, sums);
    default:
      return add_row_of<Whole<4>>(code, words, tiles, x, sums);
  }
}

template <int n>
GYRE_INLINE void add_block(const float* numbers, int64_t inputs, const float* x, int64_t x_stride,
                           const float* factors, float* y, int64_t y_stride, int outputs) {
  V sum[n][kParts];
  for (int r = 0; r < n; ++r) {
    for (int p = 0; p < kParts; ++p) sum[r][p] = V(0.0);
  }
  for (int64_t i = 0; i < inputs; ++i) {
    V number[kParts];
#pragma GCC unroll 4
    for (int p = 0; p < kParts; ++p) number[p] = V::load(numbers + i * kTileOutputs + p * kLanes);
#pragma GCC unroll 8
    for (int r = 0; r < n; ++r) {
      const V of = V::of(x[r * x_stride + i]);
#pragma GCC unroll 4
      for (int p = 0; p < kParts; ++p) sum[r][p] = fma(of, number[p], sum[r][p]);
    }
  }
  for (int r = 0; r < n; ++r) {
    float* to = y + r * y_stride;
    alignas(64) float sums[kTileOutputs];
    for (int p = 0; p < kParts; ++p) {
      const V scaled = sum[r][p] * V::load(factors + p * kLanes);
      if (outputs == kTileOutputs)
        (V::load(to + p * kLanes) + scaled).store(to + p * kLanes);
      else
        scaled.store(sums + p * kLanes);
    }
    if (outputs == kTileOutputs) continue;
    for (int o = 0; o < outputs; ++o) to[o] += sums[o];
  }
}

void add_rows(const float* numbers, int64_t inputs, const float* x, int64_t x_stride, int64_t rows,
              const float* factors, float* y, int64_t y_stride, int outputs) noexcept {
  constexpr int kRows = kParts == 1 ? 8 : kParts == 2 ? 4 : 2;
  int64_t r = 0;
  for (; r + kRows <= rows; r += kRows) {
    add_block<kRows>(numbers, inputs, x + r * x_stride, x_stride, factors, y + r * y_stride,
                     y_stride, outputs);
  }
  for (; r < rows; ++r) {
    add_block<1>(numbers, inputs, x + r * x_stride, x_stride, factors, y + r * y_stride, y_stride,
                 outputs);
  }
}

// The numbers of a step, inputs along the lanes: blocks of kLanes inputs are transposed first.
void add_transposed(const float* numbers, int64_t inputs, const float* x, int64_t x_stride,
                    int64_t rows, const float* factors, float* y, int64_t y_stride,
                    int outputs) noexcept {
  for (int64_t i = 0; i < inputs; i += kLanes) {
    const int n = int(inputs - i < kLanes ? inputs - i : kLanes);
    V by_output[kTileOutputs];
    for (int o = 0; o < kTileOutputs; ++o) {
      by_output[o] = V(0.0);
      for (int k = 0; k < n; ++k)
        by_output[o].set(k, factors[o] * numbers[(i + k) * kTileOutputs + o]);
    }
    for (int64_t r = 0; r < rows; ++r) {
      V sum(0.0);
      for (int o = 0; o < outputs; ++o) sum = fma(V::of(x[r * x_stride + o]), by_output[o], sum);
      float* to = y + r * y_stride + i;
      if (n == kLanes) {
        (V::load(to) + sum).store(to);
      } else {
        for (int k = 0; k < n; ++k) to[k] += sum[k];
      }
    }
  }
}

// Lanes that are `half` apart change places.
template <int half, size_t... l>
GYRE_INLINE V swapped(V x, Sequence<l...>) {
  return V::from(__builtin_shufflevector(x.v, x.v, int(l ^ half)...));
}

// Sums and differences of numbers that are `half` apart, in one vector: half < kLanes.
template <int half>
GYRE_INLINE V butterflies(V x) {
  if constexpr (half < kLanes) {
    V sign;
    for (int i = 0; i < kLanes; ++i) sign.set(i, i & half ? -1.0F : 1.0F);
    return butterflies<2 * half>(swapped<half>(x, MakeSequence<kLanes>{}) + x * sign);
  } else {
    return x;
  }
}

void hadamard(float* x, int64_t n) noexcept {
  float root = 1;  // 1 / sqrt(n), rounded once
  for (int64_t i = n; i > 1; i /= 4) root *= i >= 4 ? 0.5F : 0.70710678F;
  if (n < kLanes) {
    for (int64_t half = 1; half < n; half *= 2) {
      for (int64_t i = 0; i < n; ++i) {
        if (i & half) continue;
        const float a = x[i], b = x[i + half];
        x[i] = a + b;
        x[i + half] = a - b;
      }
    }
    for (int64_t i = 0; i < n; ++i) x[i] *= root;
    return;
  }
  for (int64_t i = 0; i < n; i += kLanes) butterflies<1>(V::load(x + i)).store(x + i);
  for (int64_t half = kLanes; half < n; half *= 2) {
    for (int64_t i = 0; i < n; i += 2 * half) {
      for (int64_t j = i; j < i + half; j += kLanes) {
        const V a = V::load(x + j), b = V::load(x + j + half);
        (a + b).store(x + j);
        (a - b).store(x + j + half);
      }
    }
  }
  for (int64_t i = 0; i < n; i += kLanes) (V::load(x + i) * V::of(root)).store(x + i);
}

}  // namespace

GYRE_EXPORT_TILES(PackedTiles, packed){decode, add_row, add_rows, add_transposed, hadamard};

}  // namespace gyre
