#pragma once
#include "gyre/kernel/export_tiles.h"
#include "gyre/op/tiles.h"
#include "gyre/simd/vec.h"

// Makes tiles from a fold: a struct with `template <T> struct Of { using Acc; static clear();
// step(a, x); finish(a, count) }` on vectors of Acc, where x is an element or a part's result;
// `has_identity`, `is_truth` if the result is boolean, and `orders` if signed and unsigned integers
// of the same bits give different results.

namespace gyre {
namespace {

/// Loads n < width elements; missing lanes hold `rest`.
template <class A, class T>
GYRE_INLINE Vec<A, kWidth<A>> load_acc(const T* p, int64_t n, A rest) {
  constexpr int W = kWidth<A>;
  if constexpr (__is_same(A, T)) {
    if (n >= W) return Vec<A, W>::load(p);
  } else if constexpr (sizeof(A) == 2 * sizeof(T)) {
    if (n >= W) return convert<A>(Vec<T, W>::load(p));
  }
  A lanes[W];
  for (int i = 0; i < W; ++i) lanes[i] = i < n ? A(p[i]) : rest;
  return Vec<A, W>::load(lanes);
}

template <class F, class T>
struct Fold {
  using O = typename F::template Of<T>;
  using A = typename O::Acc;
  using V = Vec<A, kWidth<A>>;
  using One = Vec<A, 1>;
  static constexpr int W = kWidth<A>;

  static GYRE_INLINE V start() { return V::of(O::clear()); }

  static GYRE_TILE void along(void* acc, const void* in, int64_t n) noexcept {
    const T* x = static_cast<const T*>(in);
    V a = start(), b = start(), c = start(), d = start();
    int64_t i = 0;
    for (; i + 4 * W <= n; i += 4 * W) {
      a = O::step(a, load_acc<A>(x + i, W, A(0)));
      b = O::step(b, load_acc<A>(x + i + W, W, A(0)));
      c = O::step(c, load_acc<A>(x + i + 2 * W, W, A(0)));
      d = O::step(d, load_acc<A>(x + i + 3 * W, W, A(0)));
    }
    for (; i < n; i += W) a = O::step(a, load_acc<A>(x + i, n - i, O::clear()));
    a = O::step(O::step(a, b), O::step(c, d));
    One total = One::of(*static_cast<A*>(acc));
    for (int l = 0; l < W; ++l) total = O::step(total, One::of(a[l]));
    *static_cast<A*>(acc) = total.only();
  }

  static GYRE_TILE void across(void* acc, const void* in, int64_t n) noexcept {
    A* a = static_cast<A*>(acc);
    const T* x = static_cast<const T*>(in);
    int64_t i = 0;
    for (; i + W <= n; i += W) O::step(V::load(a + i), load_acc<A>(x + i, W, A(0))).store(a + i);
    for (; i < n; ++i) a[i] = O::step(One::of(a[i]), One::of(A(x[i]))).only();
  }

  static GYRE_TILE void join(void* acc, const void* other, int64_t n) noexcept {
    A* a = static_cast<A*>(acc);
    const A* b = static_cast<const A*>(other);
    for (int64_t i = 0; i < n; ++i) a[i] = O::step(One::of(a[i]), One::of(b[i])).only();
  }

  static GYRE_TILE void clear(void* acc, int64_t n) noexcept {
    A* a = static_cast<A*>(acc);
    for (int64_t i = 0; i < n; ++i) a[i] = O::clear();
  }

  static GYRE_TILE void finish(const void* acc, void* out, int64_t n, double count) noexcept {
    const A* a = static_cast<const A*>(acc);
    T* y = static_cast<T*>(out);
    for (int64_t i = 0; i < n; ++i) y[i] = T(O::finish(a[i], count));
  }
};

template <class F, class T>
constexpr FoldTiles fold_tiles() {
  using X = Fold<F, T>;
  return {X::along, X::across, X::join, X::clear, X::finish, int(sizeof(typename X::A))};
}

template <class F>
constexpr bool is_truth() {
  if constexpr (requires { F::is_truth; }) return F::is_truth;
  return false;
}

/// Those of u64, which are those of i64 for folds that give the same bits.
template <class F>
constexpr FoldTiles unsigned_tiles() {
  if constexpr (requires { F::orders; }) return fold_tiles<F, uint64_t>();
  return fold_tiles<F, int64_t>();
}

template <class F>
constexpr ReductionTiles reduction_tiles() {
  return {fold_tiles<F, float>(),
          fold_tiles<F, double>(),
          fold_tiles<F, int32_t>(),
          fold_tiles<F, int64_t>(),
          unsigned_tiles<F>(),
          F::has_identity,
          is_truth<F>()};
}

}  // namespace
}  // namespace gyre
