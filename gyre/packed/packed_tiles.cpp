#include "gyre/packed/packed_tiles.h"

#include "gyre/kernel/export_tiles.h"
#include "gyre/packed/tile_states.h"

namespace gyre {
namespace {

template <class Tile, bool Add>
GYRE_INLINE void decode_inputs(const PackedCode& code, PackedAngle angle, const Packed128* words,
                               int64_t first, int64_t inputs, const float* factors,
                               const PackedTarget& target) {
  const Words multipliers = raw_splat<uint32_t, kLanes>(code.multipliers);
  const V mean = V::of(code.mean);
  const V cos = V::of(angle.cos * code.scale), sin = V::of(angle.sin * code.scale);
  V factor[kParts];
  for (int p = 0; p < kParts; ++p) factor[p] = V::load(factors + p * kLanes);
  words += first / Tile::kInputs * Tile::kWords;
  for (int64_t i = -(first % Tile::kInputs); i < inputs; i += Tile::kInputs) {
    const Tile tile(words);
    words += Tile::kWords;
    // a tile of which some inputs are wanted goes to `all` first
    alignas(64) float all[Tile::kInputs * kTileOutputs];
    const bool whole = i >= 0 && i + Tile::kInputs <= inputs;
    const PackedTarget to =
        whole ? PackedTarget{target.to + i * target.stride, target.stride, target.half}
              : PackedTarget{all, kTileOutputs, 8};
#pragma GCC unroll 21
    for (int j = 0; j < Tile::kInputs; ++j) {
#pragma GCC unroll 4
      for (int p = 0; p < kParts; ++p) {
        const int output = p * kLanes;
        V number = cos * number_of(tile.states(0, j, p), multipliers, mean);
        if constexpr (Tile::kLayers == 2)
          number = number + sin * number_of(tile.states(1, j, p), multipliers, mean);
        float* at = to.to + j * to.stride + output / 8 * to.half + output % 8;
        if (Add && whole)
          fma(number, factor[p], V::load(at)).store(at);
        else
          (number * factor[p]).store(at);
      }
    }
    if (whole) continue;
    for (int j = 0; j < Tile::kInputs; ++j) {
      if (i + j < 0 || i + j >= inputs) continue;
      float* row = target.to + (i + j) * target.stride;
      for (int o = 0; o < kTileOutputs; ++o) {
        float& to_one = row[o / 8 * target.half + o % 8];
        to_one = Add ? to_one + all[j * kTileOutputs + o] : all[j * kTileOutputs + o];
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
    prefetch(words + (t + 64) * Tile::kWords);
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

void decode(const PackedCode& code, PackedAngle angle, const Packed128* words, int64_t first,
            int64_t inputs, const float* factors, const PackedTarget& target) noexcept {
  with_tile(code, [&]<class Tile>(Type<Tile>) {
    decode_inputs<Tile, false>(code, angle, words, first, inputs, factors, target);
  });
}

void decode_onto(const PackedCode& code, PackedAngle angle, const Packed128* words, int64_t first,
                 int64_t inputs, const float* factors, const PackedTarget& target) noexcept {
  with_tile(code, [&]<class Tile>(Type<Tile>) {
    decode_inputs<Tile, true>(code, angle, words, first, inputs, factors, target);
  });
}

void add_row(const PackedCode& code, const Packed128* words, int64_t tiles, const float* x,
             float* sums) noexcept {
  with_tile(code, [&]<class Tile>(Type<Tile>) { add_row_of<Tile>(code, words, tiles, x, sums); });
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

GYRE_EXPORT_TILES(PackedTiles, packed){decode, decode_onto, add_row, hadamard};

}  // namespace gyre
