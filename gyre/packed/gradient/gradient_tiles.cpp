#include "gyre/packed/gradient/gradient_tiles.h"

#include "gyre/kernel/export_tiles.h"
#include "gyre/packed/tile_states.h"

namespace gyre {
namespace {

constexpr int kWindow = 11;                // bits of a state
constexpr int kBefore = 4 * kTileOutputs;  // room for the steps before the first

// The changes of one ring's numbers: by bit of the state, then by step, as its tile orders these.
template <class Tile>
struct Changes {
  static constexpr int kSize = Tile::kInputs * kTileOutputs;
  alignas(64) float of[kWindow][kBefore + kSize];

  GYRE_INLINE void put(int bit, int at, V change) { change.store(of[bit] + kBefore + at); }
  // Bit r of a step is bit r + bits a of the state that begins a steps before.
  GYRE_INLINE void fold(float* planes) {
    for (int bit = Tile::kBits; bit < kWindow; ++bit) Tile::wrap(of[bit] + kBefore);
    for (int r = 0; r < Tile::kBits; ++r) {
      for (int at = 0; at < kSize; at += kLanes) {
        V sum = V::load(of[r] + kBefore + at);
        for (int a = 1; r + Tile::kBits * a < kWindow; ++a)
          sum = sum + V::load(of[r + Tile::kBits * a] + kBefore + at - a * Tile::kStep);
        sum.store(planes + r * kSize + at);
      }
    }
  }
};

template <class Tile, bool curved>
void flips_of(const PackedCode& code, const Packed128* words, int64_t tiles, const float* factors,
              const float* g, int64_t g_stride, const float* curvature, float* first, float* second,
              float* sums) {
  constexpr int kPlanes = Tile::kBits * Changes<Tile>::kSize;
  const Words multipliers = raw_splat<uint32_t, kLanes>(code.multipliers);
  const V mean = V::of(code.mean), scale = V::of(code.scale);
  Changes<Tile> one, two;
  for (int64_t t = 0; t < tiles; ++t) {
    const Tile tile(words + t * Tile::kWords);
    for (int layer = 0; layer < Tile::kLayers; ++layer) {
      for (int j = 0; j < Tile::kInputs; ++j) {
        const int64_t input = t * Tile::kInputs + j;
        for (int p = 0; p < kParts; ++p) {
          const V factor = V::load(factors + p * kLanes);
          const V by = factor * V::load(g + input * g_stride + p * kLanes);
          const V curve = curved
                              ? factor * factor * V::load(curvature + input * g_stride + p * kLanes)
                              : V(0.0);
          const Words state = tile.states(layer, j, p);
          const V number = number_of(state, multipliers, mean);
          float* sum = sums + layer * kTileOutputs + p * kLanes;
          (V::load(sum) + by * (number * scale)).store(sum);
          for (int bit = 0; bit < kWindow; ++bit) {
            const Words other = state ^ (0x10001u << bit);
            const V change = (number_of(other, multipliers, mean) - number) * scale;
            const int at = j * kTileOutputs + p * kLanes;
            one.put(bit, at, by * change);
            if constexpr (curved) two.put(bit, at, curve * (change * change));
          }
        }
      }
      one.fold(first + (t * Tile::kLayers + layer) * kPlanes);
      if constexpr (curved) two.fold(second + (t * Tile::kLayers + layer) * kPlanes);
    }
  }
}

void flips(const PackedCode& code, const Packed128* words, int64_t tiles, const float* factors,
           const float* g, int64_t g_stride, const float* curvature, float* first, float* second,
           float* sums) noexcept {
  with_tile(code, [&]<class Tile>(Type<Tile>) {
    (curvature ? flips_of<Tile, true> : flips_of<Tile, false>)(code, words, tiles, factors, g,
                                                               g_stride, curvature, first, second,
                                                               sums);
  });
}

void products(const float* x, const float* e, int64_t e_stride, int64_t n, int64_t inputs,
              float* g) noexcept {
  for (int64_t j = 0; j < inputs; ++j) {
    for (int p = 0; p < GradientTiles::kManyOutputs; p += kLanes) {
      V sum = V::load(e + p) * V::of(x[j]);
      for (int64_t i = 1; i < n; ++i)
        sum = sum + V::load(e + i * e_stride + p) * V::of(x[i * inputs + j]);
      sum.store(g + j * GradientTiles::kManyOutputs + p);
    }
  }
}

// Inputs of a block, and chains of sums, since each waits for the one before.
constexpr int kBlock = 2, kChains = 4 / kBlock;

template <int inputs>
GYRE_INLINE void add_products_of(const float* x, int64_t x_stride, const float* e, int64_t n,
                                 float* g) {
  for (int p = 0; p < kTileOutputs; p += kLanes) {
    V sum[kChains][inputs];
    for (auto& chain : sum) {
      for (V& s : chain) s = V(0.0);
    }
    int64_t i = 0;
    for (; i + kChains <= n; i += kChains) {
      for (int c = 0; c < kChains; ++c) {
        const V by = V::load(e + (i + c) * kTileOutputs + p);
        for (int j = 0; j < inputs; ++j)
          sum[c][j] = sum[c][j] + by * V::of(x[(i + c) * x_stride + j]);
      }
    }
    for (; i < n; ++i) {
      const V by = V::load(e + i * kTileOutputs + p);
      for (int j = 0; j < inputs; ++j) sum[0][j] = sum[0][j] + by * V::of(x[i * x_stride + j]);
    }
    for (int j = 0; j < inputs; ++j) {
      V all = sum[0][j];
      for (int c = 1; c < kChains; ++c) all = all + sum[c][j];
      float* to = g + j * kTileOutputs + p;
      (V::load(to) + all).store(to);
    }
  }
}

void add_products(const float* x, const float* e, int64_t n, int inputs, float* g) noexcept {
  int j = 0;
  for (; j + kBlock <= inputs; j += kBlock)
    add_products_of<kBlock>(x + j, inputs, e, n, g + j * kTileOutputs);
  for (; j < inputs; ++j) add_products_of<1>(x + j, inputs, e, n, g + j * kTileOutputs);
}

void add_changes(const float* x, const float* change, int64_t n, int inputs, float* e) noexcept {
  for (int64_t i = 0; i < n; ++i) {
    for (int p = 0; p < kTileOutputs; p += kLanes) {
      V sum = V::load(e + i * kTileOutputs + p);
      for (int j = 0; j < inputs; ++j)
        sum = sum + V::of(x[i * inputs + j]) * V::load(change + j * kTileOutputs + p);
      sum.store(e + i * kTileOutputs + p);
    }
  }
}

}  // namespace

GYRE_EXPORT_TILES(GradientTiles, gradient){flips, products, add_products, add_changes};

}  // namespace gyre
