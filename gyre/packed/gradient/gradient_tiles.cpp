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
          const V curve = curved ? factor * factor * V::of(curvature[input]) : V(0.0);
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

}  // namespace

GYRE_EXPORT_TILES(GradientTiles, gradient){flips};

}  // namespace gyre
