#include "gyre/kernel/pointwise_tile.h"
#include "gyre/ops/random/bodies.h"

namespace gyre {
namespace {

GYRE_TILE void words(uint64_t seed, uint64_t block, uint32_t* out, int64_t blocks) noexcept {
  constexpr int W = kWidth<double>;
  uint64_t counters[W], lanes[4][W];
  for (int64_t b = 0; b < blocks; b += W) {
    for (int i = 0; i < W; ++i) counters[i] = block + uint64_t(b) + uint64_t(i);
    Lanes<W> low, c[4];
    __builtin_memcpy(&low, counters, sizeof low);
    philox_blocks<W>(seed, low, c);
    __builtin_memcpy(lanes, c, sizeof lanes);
    for (int i = 0; i < W; ++i) {
      for (int j = 0; j < 4; ++j) out[4 * (b + i) + j] = uint32_t(lanes[j][i]);
    }
  }
}

template <class B, bool reads = false>
GYRE_TILE void draw(const DrawNumbers& numbers, const uint32_t* words, const void* in, void* out,
                    int64_t n) noexcept {
  using T = typename B::T;
  using V = Vec<T>;
  const DrawNumbers c = numbers;  // which stores cannot alias
  auto* to = static_cast<T*>(out);
  auto* from = reinterpret_cast<const typename B::Word*>(words);
  over<V::width>(n, [&](auto part, int64_t i, int64_t left) GYRE_LAMBDA_INLINE {
    V x(0.0);
    if constexpr (reads) x = load_some<part.value>(static_cast<const T*>(in) + i, left);
    x = B::eval(c, Vec<typename B::Word, V::width>::load(from + i), x);
    store_some<part.value>(x, to + i, left, false);
  });
}

/// The first and the second lanes of the 2x2 blocks of two vectors; undone by itself.
template <class V>
GYRE_INLINE void transpose_blocks(V& x, V& y) {
  constexpr MakeSequence<V::width> kLanes;
  V first = V::from(raw_transpose<false>(x.v, y.v, kLanes));
  if constexpr (V::width > 1) y = V::from(raw_transpose<true>(x.v, y.v, kLanes));
  x = first;
}

template <class Word>
GYRE_TILE void normal(const DrawNumbers&, const uint32_t* words, const void*, void* out,
                      int64_t n) noexcept {
  using V = Vec<double>;
  constexpr int W = V::width;
  auto* from = reinterpret_cast<const Word*>(words);
  auto* to = static_cast<double*>(out);
  for (int64_t i = 0; i < n; i += 2 * W) {
    V u = normal_number(Vec<Word, W>::load(from + i));
    V t = normal_number(Vec<Word, W>::load(from + i + W));
    transpose_blocks(u, t);
    auto both = normals(u, t);
    transpose_blocks(both.e[0], both.e[1]);
    for (int64_t half = 0, at = i; half < 2; ++half, at += W) {
      if (at + W <= n) {
        both.e[half].store(to + at);
      } else if (at < n) {
        store_part(both.e[half], to + at, n - at);
      }
    }
  }
}

}  // namespace

GYRE_EXPORT_TILES(RandomTiles, random) = {words,
                                          draw<UniformF32>,
                                          draw<UniformF64>,
                                          normal<int32_t>,
                                          normal<int64_t>,
                                          draw<Integers>,
                                          draw<Bernoulli>,
                                          draw<Dropout<float>, true>,
                                          draw<Dropout<double>, true>};

}  // namespace gyre
