#pragma once
#include "gyre/kernel/export_tiles.h"
#include "gyre/op/tiles.h"
#include "gyre/simd/dual.h"
#include "gyre/simd/math.h"
#include "gyre/simd/sequence.h"

// Makes tiles from a pointwise body: a struct with `static constexpr PointwiseSpec spec` and a
// static template `eval(x...)` over value types (see docs/add_an_op.md).

namespace gyre {
namespace {

template <class V>
GYRE_INLINE V as_value(V x) {
  return x;
}
template <class T, int W>
GYRE_INLINE Vec<T, W> as_value(Mask<T, W> m) {
  return select(m, Vec<T, W>(1.0), Vec<T, W>(0.0));
}

/// A partial load: missing lanes repeat the first element, so that they compute valid values.
template <class T>
GYRE_INLINE Vec<T> load_part(const T* p, int64_t n) {
  constexpr int W = Vec<T>::width;
  T lanes[W];
  for (int i = 0; i < W; ++i) lanes[i] = p[i < n ? i : 0];
  return Vec<T>::load(lanes);
}
template <class T>
GYRE_INLINE void store_part(Vec<T> v, T* p, int64_t n) {
  T lanes[Vec<T>::width];
  v.store(lanes);
  for (int64_t i = 0; i < n; ++i) p[i] = lanes[i];
}
template <bool kPart, class T>
GYRE_INLINE Vec<T> load_some(const T* p, int64_t n) {
  if constexpr (kPart) return load_part(p, n);
  return Vec<T>::load(p);
}
template <bool kPart, class T>
GYRE_INLINE void store_some(Vec<T> v, T* p, int64_t n, bool past_caches) {
  if constexpr (kPart) {
    store_part(v, p, n);
  } else if (past_caches) {
    v.store_past_caches(p);
  } else {
    v.store(p);
  }
}

template <class B, bool kPart, class T, size_t... I>
GYRE_INLINE void forward_at(const T* const* in, T* const* out, int64_t i, int64_t n,
                            bool past_caches, Sequence<I...>) {
  store_some<kPart>(as_value(B::eval(load_some<kPart>(in[I] + i, n)...)), out[0] + i, n,
                    past_caches);
}

template <class B, class T>
GYRE_TILE void pointwise_forward(const T* const* in, T* const* out, int64_t n,
                                 bool past_caches) noexcept {
  over<Vec<T>::width>(n, [&](auto part, int64_t i, int64_t left) GYRE_LAMBDA_INLINE {
    forward_at<B, part.value>(in, out, i, left, past_caches, MakeSequence<B::spec.arity>{});
  });
}

template <class V>
GYRE_INLINE V partial_of(const Dual<V>& x) {
  return x.d;
}
template <class V>
GYRE_INLINE V partial_of(V) {
  return V(0.0);
}

/// d eval / d (argument J); other arguments are not Dual, so infinity is never multiplied by a zero
/// tangent.
template <class B, size_t J, class V, size_t... I>
GYRE_INLINE V partial(const V* a, Sequence<I...>) {
  auto argument = [a](auto place) GYRE_LAMBDA_INLINE {
    constexpr size_t k = decltype(place)::value;
    if constexpr (k == J) {
      return Dual<V>(a[k], V(1.0));
    } else {
      return a[k];
    }
  };
  return partial_of<V>(B::eval(argument(Place<I>{})...));
}

template <class B, bool kPart, class T, size_t... I>
GYRE_INLINE void gradient_at(const T* const* in, T* const* out, int64_t i, int64_t n,
                             bool past_caches, Sequence<I...> all) {
  constexpr bool kMasked = B::spec.kind == PointwiseSpec::selection;
  Vec<T> g = load_some<kPart>(in[0] + i, n);
  Vec<T> a[sizeof...(I)] = {load_some<kPart>(in[I + 1] + i, n)...};
  auto one = [&](auto place) GYRE_LAMBDA_INLINE {
    constexpr size_t j = decltype(place)::value;
    if constexpr (!(kMasked && j == 0)) {
      if (out[j]) store_some<kPart>(g * partial<B, j>(a, all), out[j] + i, n, past_caches);
    }
  };
  (one(Place<I>{}), ...);
}

template <class B, class T>
GYRE_TILE void pointwise_gradient(const T* const* in, T* const* out, int64_t n,
                                  bool past_caches) noexcept {
  over<Vec<T>::width>(n, [&](auto part, int64_t i, int64_t left) GYRE_LAMBDA_INLINE {
    gradient_at<B, part.value>(in, out, i, left, past_caches, MakeSequence<B::spec.arity>{});
  });
}

/// Whether a body declares by `ignores_sign` that signed and unsigned integers of the same bits
/// give the same bits.
template <class B>
constexpr bool ignores_sign() {
  if constexpr (requires { B::ignores_sign; }) return B::ignores_sign;
  return false;
}

template <class B>
constexpr PointwiseTiles pointwise_tiles() {
  PointwiseTiles t;
  using Spec = PointwiseSpec;
  if constexpr (B::spec.kind != Spec::bits) {
    t.f32.forward = pointwise_forward<B, float>;
    t.f64.forward = pointwise_forward<B, double>;
  }
  if constexpr (B::spec.kind != Spec::comparison && B::spec.kind != Spec::bits) {
    t.f32.grad = pointwise_gradient<B, float>;
    t.f64.grad = pointwise_gradient<B, double>;
  }
  if constexpr (B::spec.kind != Spec::floating) {
    t.i32 = pointwise_forward<B, int32_t>;
    t.i64 = pointwise_forward<B, int64_t>;
    if constexpr (!ignores_sign<B>()) t.u64 = pointwise_forward<B, uint64_t>;
  }
  return t;
}

}  // namespace
}  // namespace gyre
