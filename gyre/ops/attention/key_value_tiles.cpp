#include "gyre/kernel/pointwise_tile.h"
#include "gyre/ops/attention/key_value_tile.h"
#include "gyre/simd/byte_lanes.h"
#include "gyre/simd/convert16.h"

namespace gyre {
namespace {

using Lanes = Vec<float>;
constexpr int kLanes = Lanes::width;

struct F32Rows {
  using Stored = float;
  static GYRE_INLINE Lanes load(const Stored* p) { return Lanes::load(p); }
};
struct F16Rows {
  using Stored = uint16_t;
  static GYRE_INLINE Lanes load(const Stored* p) { return load_f16(p); }
};
struct Bf16Rows {
  using Stored = uint16_t;
  static GYRE_INLINE Lanes load(const Stored* p) { return load_bf16(p); }
};
struct I8Rows {
  using Stored = int8_t;
  static GYRE_INLINE Lanes load(const Stored* p) {
#if GYRE_RAW_SCALAR
    return convert<float>(IntLanes::of(*p));
#else
    return convert<float>(IntLanes::from(raw_widen_bytes<kLanes>(p)));
#endif
  }
};

template <class Rows>
struct KeyValue {
  using Stored = typename Rows::Stored;

  // Fewer elements than lanes, and zeros.
  static GYRE_INLINE Lanes load_end(const Stored* p, int64_t n) {
    Stored lanes[kLanes] = {};
    __builtin_memcpy(lanes, p, size_t(n) * sizeof(Stored));
    return Rows::load(lanes);
  }
  static GYRE_INLINE const Stored* row_of(const CachedRun& run, int64_t j) {
    return static_cast<const Stored*>(run.data) + j * run.row;
  }

  // Rows of many lengths, of which only a part may be read at once, defeat the prefetchers of CPUs.
  static GYRE_INLINE void fetch_ahead(const CachedRun& run, const Stored* row) {
    constexpr int64_t kRows = 8, kLine = 64 / sizeof(Stored);
    for (int64_t i = 0; i < run.width; i += kLine) prefetch(row + kRows * run.row + i);
  }

  // Partial sums of K keys and R queries; both stay in registers.
  template <int R, int K>
  static GYRE_INLINE void add_products(const float* q, int64_t width, const Stored* const (&key)[K],
                                       Lanes (&sums)[R][K]) {
    const auto step = [&](int64_t i, auto load_query, auto load_key) GYRE_LAMBDA_INLINE {
      Lanes y[R];
#pragma GCC unroll 4
      for (int r = 0; r < R; ++r) y[r] = load_query(q + r * width + i);
#pragma GCC unroll 4
      for (int k = 0; k < K; ++k) {
        const Lanes x = load_key(key[k] + i);
#pragma GCC unroll 4
        for (int r = 0; r < R; ++r) sums[r][k] = fma(x, y[r], sums[r][k]);
      }
    };
    int64_t i = 0;
    for (; i + kLanes <= width; i += kLanes) {
      step(
          i, [](const float* p) { return Lanes::load(p); },
          [](const Stored* p) { return Rows::load(p); });
    }
    if (const int64_t n = width - i; n > 0) {
      step(
          i, [n](const float* p) { return load_part(p, n); },
          [n](const Stored* p) { return load_end(p, n); });
    }
  }

  template <int R>
  static void some_scores(const float* q, const CachedRun& keys, float* to, int64_t stride) {
    constexpr int K = R <= 3 ? 4 : 2;
    for (int64_t j = 0; j < keys.n; j += kLanes) {
      const int64_t n = keys.n - j < kLanes ? keys.n - j : kLanes;
      Lanes parts[R][kLanes];
      for (int c = 0; c < kLanes; c += K) {
        const Stored* key[K];
        Lanes sums[R][K];
#pragma GCC unroll 4
        for (int k = 0; k < K; ++k) {
          key[k] = row_of(keys, j + (c + k < n ? c + k : n - 1));
          fetch_ahead(keys, key[k]);
          for (int r = 0; r < R; ++r) sums[r][k] = Lanes(0.0);
        }
        add_products<R, K>(q, keys.width, key, sums);
#pragma GCC unroll 4
        for (int r = 0; r < R; ++r) {
#pragma GCC unroll 4
          for (int k = 0; k < K; ++k) parts[r][c + k] = sums[r][k];
        }
      }
      for (int r = 0; r < R; ++r) {
        Lanes s = sums_of_lanes(parts[r]);
        float* score = to + r * stride + j;
        if (n < kLanes) {
          if (keys.scales) s = s * load_part(keys.scales + j, n);
          store_part(s, score, n);
        } else {
          if (keys.scales) s = s * Lanes::load(keys.scales + j);
          s.store(score);
        }
      }
    }
  }

  static GYRE_TILE void scores(const float* q, int64_t lines, const CachedRun& keys, float* to,
                               int64_t stride) noexcept {
    for (; lines >= 4; lines -= 4, q += 4 * keys.width, to += 4 * stride)
      some_scores<4>(q, keys, to, stride);
    if (lines == 3) some_scores<3>(q, keys, to, stride);
    if (lines == 2) some_scores<2>(q, keys, to, stride);
    if (lines == 1) some_scores<1>(q, keys, to, stride);
  }

  // C vectors of R rows of out, from column i on.
  template <int R, int C>
  static GYRE_INLINE void mix_columns(const float* weights, int64_t stride, const CachedRun& values,
                                      float* out, int64_t i) {
    Lanes sums[R][C];
#pragma GCC unroll 4
    for (int r = 0; r < R; ++r) {
#pragma GCC unroll 8
      for (int c = 0; c < C; ++c) sums[r][c] = Lanes::load(out + r * values.width + i + c * kLanes);
    }
    for (int64_t j = 0; j < values.n; ++j) {
      const Stored* row = row_of(values, j) + i;
      if (i == 0) fetch_ahead(values, row);
      Lanes w[R];
#pragma GCC unroll 4
      for (int r = 0; r < R; ++r) w[r] = Lanes::of(weights[r * stride + j]);
#pragma GCC unroll 8
      for (int c = 0; c < C; ++c) {
        const Lanes x = Rows::load(row + c * kLanes);
#pragma GCC unroll 4
        for (int r = 0; r < R; ++r) sums[r][c] = fma(w[r], x, sums[r][c]);
      }
    }
#pragma GCC unroll 4
    for (int r = 0; r < R; ++r) {
#pragma GCC unroll 8
      for (int c = 0; c < C; ++c) sums[r][c].store(out + r * values.width + i + c * kLanes);
    }
  }

  template <int R>
  static void mix_some(const float* weights, int64_t stride, const CachedRun& values, float* out) {
    constexpr int C = R == 1 ? 8 : R == 4 ? 2 : 4;  // sums and values stay in registers
    const int64_t width = values.width;
    int64_t i = 0;
    for (; i + C * kLanes <= width; i += C * kLanes)
      mix_columns<R, C>(weights, stride, values, out, i);
    for (; i + kLanes <= width; i += kLanes) mix_columns<R, 1>(weights, stride, values, out, i);
    if (i == width) return;
    for (int r = 0; r < R; ++r) {
      float* to = out + r * width + i;
      Lanes sum = load_part(to, width - i);
      for (int64_t j = 0; j < values.n; ++j) {
        sum = fma(Lanes::of(weights[r * stride + j]), load_end(row_of(values, j) + i, width - i),
                  sum);
      }
      store_part(sum, to, width - i);
    }
  }

  static GYRE_TILE void mix(float* weights, int64_t stride, int64_t lines, const CachedRun& values,
                            float* out) noexcept {
    for (int64_t r = 0; values.scales && r < lines; ++r) {
      float* w = weights + r * stride;
      int64_t j = 0;
      for (; j + kLanes <= values.n; j += kLanes)
        (Lanes::load(w + j) * Lanes::load(values.scales + j)).store(w + j);
      for (; j < values.n; ++j) w[j] *= values.scales[j];
    }
    const int64_t step = values.width;
    for (; lines >= 4; lines -= 4, weights += 4 * stride, out += 4 * step)
      mix_some<4>(weights, stride, values, out);
    if (lines == 3) mix_some<3>(weights, stride, values, out);
    if (lines == 2) mix_some<2>(weights, stride, values, out);
    if (lines == 1) mix_some<1>(weights, stride, values, out);
  }

  static GYRE_TILE void widen(const CachedRun& from, float* to) noexcept {
    for (int64_t j = 0; j < from.n; ++j, to += from.width) {
      const Stored* row = row_of(from, j);
      const Lanes scale = Lanes::of(from.scales ? from.scales[j] : 1.0f);
      int64_t i = 0;
      for (; i + kLanes <= from.width; i += kLanes) (Rows::load(row + i) * scale).store(to + i);
      if (const int64_t n = from.width - i; n > 0)
        store_part(load_end(row + i, n) * scale, to + i, n);
    }
  }

  static constexpr KeyValueTile tile() { return {scores, mix, widen}; }
};

// Lanes that are integers of -128 .. 127.
GYRE_INLINE void store_bytes(Lanes x, int8_t* to, int64_t n) {
#if GYRE_RAW_SCALAR
  (void)n, *to = int8_t(x.v);
#else
  const auto bytes = __builtin_convertvector(convert<int32_t>(x).v, RawOf<int8_t, kLanes>);
  __builtin_memcpy(to, &bytes, size_t(n));
#endif
}

GYRE_TILE void round_row(const float* x, int64_t n, int8_t* to, float* scale) noexcept {
  const auto part = [&](int64_t i) GYRE_LAMBDA_INLINE {
    return n - i < kLanes ? load_part(x + i, n - i) : Lanes::load(x + i);
  };
  Lanes largest(0.0);
  for (int64_t i = 0; i < n; i += kLanes) largest = max(largest, abs(part(i)));
  float top = 0;
  bool finite = true;
  for (int l = 0; l < kLanes; ++l) {
    finite = finite && largest[l] <= 3.40282347e38f;
    top = largest[l] > top ? largest[l] : top;
  }
  *scale = finite ? top / 127 : __builtin_nanf("");
  const Lanes unit = Lanes::of(*scale > 0 ? *scale : 1.0f);
  for (int64_t i = 0; i < n; i += kLanes) {
    const Lanes number = finite ? round(part(i) / unit) : Lanes(0.0);
    // a subnormal unit may be rounded down
    store_bytes(min(max(number, -127.0), 127.0), to + i, n - i < kLanes ? n - i : kLanes);
  }
}

}  // namespace

GYRE_EXPORT_TILES(KeyValueTiles, key_value) = {KeyValue<F32Rows>::tile(), KeyValue<F16Rows>::tile(),
                                               KeyValue<Bf16Rows>::tile(), KeyValue<I8Rows>::tile(),
                                               round_row};

}  // namespace gyre
