#pragma once
#include "gyre/kernel/pointwise_tile.h"

// Loads and stores of row tiles: partial vectors, and elements computed in a wider type.

namespace gyre {
namespace {

/// Keeps lanes below n, zeroes the others.
template <class T, int W>
GYRE_INLINE Vec<T, W> first_lanes(Vec<T, W> v, int64_t n) {
  T lanes[W];
  v.store(lanes);
  for (int64_t i = n; i < W; ++i) lanes[i] = T(0);
  return Vec<T, W>::load(lanes);
}

template <class T, int W>
GYRE_INLINE double lane_sum(Vec<T, W> v) {
#if !GYRE_RAW_SCALAR
  if constexpr (sizeof(T) == 4 && W > 1) {
    using H = Vec<T, W / 2>;
    return sum_of_lanes(convert<double>(H::from(raw_half<T, W, false>(v.v))) +
                        convert<double>(H::from(raw_half<T, W, true>(v.v))));
  }
#endif
  return double(sum_of_lanes(v));
}

/// Loads U::width elements of T as U, which may be wider; in a part the missing ones repeat the
/// first.
template <bool kPart, class U, class T>
GYRE_INLINE U load_row(const T* p, int64_t n) {
  constexpr int W = U::width;
  if constexpr (kPart) {
    typename U::T lanes[W];
    for (int i = 0; i < W; ++i) lanes[i] = typename U::T(p[i < n ? i : 0]);
    return U::load(lanes);
  } else if constexpr (sizeof(typename U::T) == sizeof(T)) {
    return U::load(p);
  } else {
    return convert<typename U::T>(Vec<T, W>::load(p));
  }
}
/// The lanes that enter a sum; the others are zero.
template <bool kPart, class V>
GYRE_INLINE V counted(V v, int64_t n) {
  if constexpr (kPart) {
    return first_lanes(v, n);
  } else {
    return v;
  }
}

/// Stores U::width elements, or the first n, as T, which may be narrower.
template <bool kPart, class U, class T>
GYRE_INLINE void store_row(U v, T* p, int64_t n, bool past_caches) {
  if constexpr (sizeof(typename U::T) == sizeof(T)) {
    store_some<kPart>(v, p, n, past_caches);
  } else {
    auto narrow = convert<T>(v);
    if constexpr (kPart) {
      for (int64_t l = 0; l < n; ++l) p[l] = narrow[int(l)];
    } else if (past_caches) {
      narrow.store_past_caches(p);
    } else {
      narrow.store(p);
    }
  }
}

/// Conversions between U and doubles.
template <class U>
GYRE_INLINE U from_doubles(const double* p) {
  constexpr int W = U::width;
  if constexpr (sizeof(typename U::T) == 8) {
    return U::load(p);
#if !GYRE_RAW_SCALAR
  } else if constexpr (W > 1) {
    using H = Vec<double, W / 2>;
    return U::from(raw_join<typename U::T, W / 2>(convert<typename U::T>(H::load(p)).v,
                                                  convert<typename U::T>(H::load(p + W / 2)).v));
#endif
  } else {
    return U(p[0]);
  }
}
template <class T, int W>
GYRE_INLINE void to_doubles(Vec<T, W> v, double* p) {
  if constexpr (sizeof(T) == 8) {
    v.store(p);
#if !GYRE_RAW_SCALAR
  } else if constexpr (W > 1) {
    using H = Vec<T, W / 2>;
    convert<double>(H::from(raw_half<T, W, false>(v.v))).store(p);
    convert<double>(H::from(raw_half<T, W, true>(v.v))).store(p + W / 2);
#endif
  } else {
    p[0] = double(v[0]);
  }
}

template <class U>
GYRE_INLINE U positions(int64_t first) {
  typename U::T lanes[U::width];
  for (int i = 0; i < U::width; ++i) lanes[i] = typename U::T(i);
  return U::load(lanes) + U(double(first));
}

}  // namespace
}  // namespace gyre
