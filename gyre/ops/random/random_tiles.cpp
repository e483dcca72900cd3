#include "gyre/ops/random/random_tiles.h"

#include "gyre/kernel/pointwise_tile.h"
#include "gyre/ops/random/bodies.h"

namespace gyre {
namespace {

using R = RandomBodies<>;
using Lane = R::Lane;
using V = R::V;
constexpr int W = V::width;

GYRE_INLINE Lane load_lanes(const uint32_t* words) {
  Lane lanes;
  __builtin_memcpy(&lanes, words, sizeof lanes);
  return lanes;
}

/// body(part, i) are elements i, i + 1, ... of out.
template <class T, class F>
GYRE_INLINE void fill(T* out, int64_t n, F body) {
  constexpr int kStep = Vec<T>::width;
  int64_t i = 0;
  for (; i + kStep <= n; i += kStep) body(Place<0>{}, i).store(out + i);
  if (i < n) store_part(body(Place<1>{}, i), out + i, n - i);
}

GYRE_TILE void words(uint64_t seed, uint64_t block, uint32_t* out, int64_t blocks) noexcept {
  uint64_t counters[W], lanes[4][W];
  for (int64_t b = 0; b < blocks; b += W) {
    for (int i = 0; i < W; ++i) counters[i] = block + uint64_t(b) + uint64_t(i);
    Lane low, c[4];
    __builtin_memcpy(&low, counters, sizeof low);
    R::philox(seed, low, c);
    __builtin_memcpy(lanes, c, sizeof lanes);
    for (int i = 0; i < W; ++i) {
      for (int j = 0; j < 4; ++j) out[4 * (b + i) + j] = uint32_t(lanes[j][i]);
    }
  }
}

GYRE_TILE void uniform_f32(const uint32_t* words, int bits, float* out, int64_t n) noexcept {
  const int32_t* w = reinterpret_cast<const int32_t*>(words);
  fill(out, n, [=](auto, int64_t i) GYRE_LAMBDA_INLINE {
    return uniform(Vec<int32_t>::load(w + i), bits);
  });
}

GYRE_TILE void uniform_f64(const uint32_t* words, double* out, int64_t n) noexcept {
  fill(out, n,
       [=](auto, int64_t i) GYRE_LAMBDA_INLINE { return R::uniform(load_lanes(words + 2 * i)); });
}

/// Of pairs in order: x[0], y[0], x[1], y[1], ...
struct InOrder {
  GYRE_INLINE void operator()(V& x, V& y) const {
    V low = V::from(raw_interleave<false>(x.v, y.v, MakeSequence<W>{}));
    if constexpr (W > 1) y = V::from(raw_interleave<true>(x.v, y.v, MakeSequence<W>{}));
    x = low;
  }
};
/// Of pairs in the order that this makes of two vectors of pairs: cheaper than InOrder there.
struct Transposed {
  GYRE_INLINE void operator()(V& x, V& y) const {
    V low = V::from(raw_transpose<false>(x.v, y.v, MakeSequence<W>{}));
    if constexpr (W > 1) y = V::from(raw_transpose<true>(x.v, y.v, MakeSequence<W>{}));
    x = low;
  }
};

/// numbers(i, u, t) gives those of pairs i, i + 1, ..., whose order `join` turns into that of out.
template <class J, class F>
GYRE_INLINE void normal_pairs(double* out, int64_t n, J join, F numbers) {
  for (int64_t i = 0; i < n; i += 2 * W) {
    V u, t;
    numbers(i / 2, u, t);
    auto both = R::normals(u, t);
    join(both.e[0], both.e[1]);
    for (int half = 0; half < 2; ++half) {
      const int64_t at = i + half * W;
      if (at + W <= n) {
        both.e[half].store(out + at);
      } else if (at < n) {
        store_part(both.e[half], out + at, n - at);
      }
    }
  }
}

GYRE_TILE void normal_f32(const uint32_t* words, double* out, int64_t n) noexcept {
  normal_pairs(out, n, InOrder(), [=](int64_t i, V& u, V& t) GYRE_LAMBDA_INLINE {
    const Lane both = load_lanes(words + 2 * i);
    u = R::positive_of_word(both);
    t = R::positive_of_word(both >> 32);
  });
}

GYRE_TILE void normal_f64(const uint32_t* words, double* out, int64_t n) noexcept {
  normal_pairs(out, n, Transposed(), [=](int64_t i, V& u, V& t) GYRE_LAMBDA_INLINE {
    u = R::positive(load_lanes(words + 4 * i));
    t = R::positive(load_lanes(words + 4 * i + 2 * W));
    Transposed()(u, t);
  });
}

GYRE_TILE void integers(const uint32_t* words, int64_t low, uint64_t range, int64_t* out,
                        int64_t n) noexcept {
  fill(out, n, [=](auto, int64_t i) GYRE_LAMBDA_INLINE {
    const Lane x = R::integer(load_lanes(words + 2 * i), uint64_t(low), range);
    return Vec<int64_t>::from(bit_cast<Vec<int64_t>::R>(x));
  });
}

GYRE_TILE void bernoulli_i32(const uint32_t* words, uint64_t threshold, int32_t* out,
                             int64_t n) noexcept {
  const int32_t* w = reinterpret_cast<const int32_t*>(words);
  fill(out, n, [=](auto, int64_t i) GYRE_LAMBDA_INLINE {
    return bernoulli(Vec<int32_t>::load(w + i), threshold);
  });
}

template <class T>
GYRE_TILE void drop_all(const T* in, const uint32_t* words, uint32_t threshold, T scale, T* out,
                        int64_t n) noexcept {
  const int32_t* w = reinterpret_cast<const int32_t*>(words);
  fill(out, n, [=](auto part, int64_t i) GYRE_LAMBDA_INLINE {
    return drop(load_some<bool(part.value)>(in + i, n - i), Vec<int32_t, kWidth<T>>::load(w + i),
                threshold, scale);
  });
}

}  // namespace

GYRE_EXPORT_TILES(RandomTiles, random) = {words,         uniform_f32,     uniform_f64,
                                          normal_f32,    normal_f64,      integers,
                                          bernoulli_i32, drop_all<float>, drop_all<double>};

}  // namespace gyre
