#include "gyre/packed/packed_tiles.h"

#include "gyre/kernel/export_tiles.h"
#include "gyre/packed/tile_states.h"

namespace gyre {
namespace {

template <class Tile>
GYRE_INLINE void decode_tiles(const PackedCode& code, PackedAngle angle, const Packed128* words,
                              int64_t tiles, float* numbers) {
  const Words multipliers = raw_splat<uint32_t, kLanes>(code.multipliers);
  const V mean = V::of(code.mean);
  const V cos = V::of(angle.cos * code.scale), sin = V::of(angle.sin * code.scale);
  for (int64_t t = 0; t < tiles; ++t) {
    const Tile tile(words + t * Tile::kWords);
    float* to = numbers + t * Tile::kInputs * kTileOutputs;
#pragma GCC unroll 21
    for (int j = 0; j < Tile::kInputs; ++j) {
#pragma GCC unroll 4
      for (int p = 0; p < kParts; ++p) {
        V number = cos * number_of(tile.states(0, j, p), multipliers, mean);
        if constexpr (Tile::kLayers == 2)
          number = number + sin * number_of(tile.states(1, j, p), multipliers, mean);
        number.store(to + j * kTileOutputs + p * kLanes);
      }
    }
  }
}

template <class Tile>
GYRE_INLINE void add_row_of(const PackedCode& code, const Packed128* words, int64_t tiles,
                            const float* x, float* sums) {
  const Words multipliers = raw_splat<uint32_t, kLanes>(code.multipliers);
  const V mean = V::of(code.mean);
  // two chains of sums for a layer, since each waits for the one before
  V sum[Tile::kLayers][2][kParts];
  for (int layer = 0; layer < Tile::kLayers; ++layer) {
    for (int p = 0; p < kParts; ++p) {
      sum[layer][0][p] = V::load(sums + layer * kTileOutputs + p * kLanes);
      sum[layer][1][p] = V(0.0);
    }
  }
  for (int64_t t = 0; t < tiles; ++t) {
    const Tile tile(words + t * Tile::kWords);
    const float* from = x + t * Tile::kInputs;
#pragma GCC unroll 21
    for (int j = 0; j < Tile::kInputs; ++j) {
      const V factor = V::of(from[j]);
#pragma GCC unroll 2
      for (int layer = 0; layer < Tile::kLayers; ++layer) {
#pragma GCC unroll 4
        for (int p = 0; p < kParts; ++p) {
          const V number = number_of(tile.states(layer, j, p), multipliers, mean);
          sum[layer][j % 2][p] = fma(factor, number, sum[layer][j % 2][p]);
        }
      }
    }
  }
  for (int layer = 0; layer < Tile::kLayers; ++layer) {
    for (int p = 0; p < kParts; ++p)
      (sum[layer][0][p] + sum[layer][1][p]).store(sums + layer * kTileOutputs + p * kLanes);
  }
}

void decode(const PackedCode& code, PackedAngle angle, const Packed128* words, int64_t tiles,
            float* numbers) noexcept {
  with_tile(code, [&]<class Tile>(Type<Tile>) {
    decode_tiles<Tile>(code, angle, words, tiles, numbers);
  });
}

void add_row(const PackedCode& code, const Packed128* words, int64_t tiles, const float* x,
             float* sums) noexcept {
  with_tile(code, [&]<class Tile>(Type<Tile>) { add_row_of<Tile>(code, words, tiles, x, sums); });
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
