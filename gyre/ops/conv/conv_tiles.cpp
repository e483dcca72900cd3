#include "gyre/ops/conv/conv_tiles.h"

#include "gyre/kernel/export_tiles.h"
#include "gyre/simd/vec.h"

namespace gyre {
namespace {

/// Where the lanes of a vector come from: those below `end` that no earlier source has.
struct Source {
  int64_t from;
  int end;
};

/// The lane's number below `end`.
template <class T>
GYRE_INLINE Mask<T> lanes_below(int end) {
  T lanes[kWidth<T>];
  for (int i = 0; i < kWidth<T>; ++i) lanes[i] = T(i);
  return Vec<T>::load(lanes) < Vec<T>::of(T(end));
}

/// One vector of all rows.
template <class T>
GYRE_INLINE void patch_column(const PatchRows<T>& p, const Source* sources, int count, T* out) {
  const T* strip = p.strip + sources[0].from;
  const int64_t *offset = p.offsets, *const end = offset + p.rows, row = p.out_row;
  if (count == 1) {
    for (; offset < end; ++offset, out += row) Vec<T>::load(strip + *offset).store(out);
  } else if (count == 2) {
    const Mask<T> first = lanes_below<T>(sources[0].end);
    const T* other = p.strip + sources[1].from;
    for (; offset < end; ++offset, out += row) {
      select(first, Vec<T>::load(strip + *offset), Vec<T>::load(other + *offset)).store(out);
    }
  } else {
    Mask<T> earlier[kWidth<T>];
    for (int i = 1; i < count; ++i) earlier[i] = lanes_below<T>(sources[i - 1].end);
    for (; offset < end; ++offset, out += row) {
      const T* in = p.strip + *offset;
      Vec<T> x = Vec<T>::load(in + sources[0].from);
      for (int i = 1; i < count; ++i) x = select(earlier[i], x, Vec<T>::load(in + sources[i].from));
      x.store(out);
    }
  }
}

template <class T>
void patches(const PatchRows<T>& p) noexcept {
  constexpr int W = kWidth<T>;
  const Stretch *s = p.stretches, *last = s + p.count - 1;
  for (int64_t at = 0; at < last->to + last->count; at += W) {
    Source sources[W];
    int count = 0;
    for (;; ++s) {
      const int64_t end = s->to + s->count - at;
      sources[count++] = {s->from + at - s->to, int(end < W ? end : W)};
      if (end > W || s == last) break;
      if (end == W) {
        ++s;
        break;
      }
    }
    patch_column(p, sources, count, p.out + at);
  }
}

template <class T>
GYRE_INLINE void splat(Vec<T> x, T* out, int64_t n) {
  for (int64_t i = 0; i < n; i += kWidth<T>) x.store(out + i);
}

template <class T>
void pad(const PaddedRows<T>& p) noexcept {
  constexpr int W = kWidth<T>;
  const Vec<T> zero = Vec<T>::of(T(0));
  for (int64_t r = 0; r < p.rows; ++r) {
    const T* in = p.in + r * p.in_row;
    T* out = p.out + r * p.out_row;
    splat(zero, out, p.before);
    out += p.before;
    if (p.count >= W) {
      int64_t i = 0;
      for (; i + W <= p.count; i += W) Vec<T>::load(in + i).store(out + i);
      Vec<T>::load(in + p.count - W).store(out + p.count - W);
    } else {
      for (int64_t i = 0; i < p.count; ++i) out[i] = in[i];
    }
    splat(zero, out + p.count, p.after);
  }
}

/// V vectors of sums: enough of them hide the latency of an addition.
template <class T, int V>
GYRE_INLINE void direct_vectors(const DirectSums<T>& d, int64_t i) {
  constexpr int W = kWidth<T>;
  Vec<T> sum[V];
#pragma GCC unroll 8
  for (int v = 0; v < V; ++v) {
    sum[v] = d.accumulate ? Vec<T>::load(d.out + i + v * W) : Vec<T>::of(d.start);
  }
  for (int64_t k = 0; k < d.depth; ++k) {
    const Vec<T> w = Vec<T>::of(d.weights[k]);
    const T* in = d.strip + d.offsets[k] + i;
#pragma GCC unroll 8
    for (int v = 0; v < V; ++v) sum[v] = fma(w, Vec<T>::load(in + v * W), sum[v]);
  }
#pragma GCC unroll 8
  for (int v = 0; v < V; ++v) sum[v].store(d.out + i + v * W);
}

template <class T>
void direct(const DirectSums<T>& d) noexcept {
  constexpr int W = kWidth<T>;
  int64_t i = 0;
  for (; i + 7 * W < d.n; i += 8 * W) direct_vectors<T, 8>(d, i);
  for (; i + 3 * W < d.n; i += 4 * W) direct_vectors<T, 4>(d, i);
  for (; i + W < d.n; i += 2 * W) direct_vectors<T, 2>(d, i);
  for (; i < d.n; i += W) direct_vectors<T, 1>(d, i);
}

template <class T>
void fill(T value, T* out, int64_t n) noexcept {
  constexpr int W = kWidth<T>;
  int64_t i = 0;
  for (; i + W <= n; i += W) Vec<T>::of(value).store(out + i);
  for (; i < n; ++i) out[i] = value;
}

template <class T>
void add(const T* in, T* out, int64_t n) noexcept {
  constexpr int W = kWidth<T>;
  int64_t i = 0;
  for (; i + W <= n; i += W) (Vec<T>::load(out + i) + Vec<T>::load(in + i)).store(out + i);
  for (; i < n; ++i) out[i] += in[i];
}

template <class T>
constexpr ConvTiles<T> kTiles{patches<T>, pad<T>, direct<T>, fill<T>, add<T>};

}  // namespace

GYRE_EXPORT_TILES(AllConvTiles, conv){kTiles<float>, kTiles<double>};

}  // namespace gyre
