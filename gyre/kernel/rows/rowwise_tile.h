#pragma once
#include "gyre/kernel/rows/row_values.h"
#include "gyre/simd/pack.h"
#include "gyre/simd/row_sum.h"
#include "gyre/simd/word.h"

// Makes tiles from a row body: static templates anchor(v...), reduce([m,] s..., v...), finish(row,
// [m,] s..., sums...) in f64 and map(coefs..., v...), or map(coefs..., e) of the first result of
// reduce where the body keeps it; reduce, finish and map return pack(...). `row` is RowInfo<Attrs>.
// See docs/add_an_op.md.

namespace gyre {
namespace {

template <bool kFirst, class A, class B>
struct Pick {
  using Type = A;
};
template <class A, class B>
struct Pick<false, A, B> {
  using Type = B;
};

// Argument k of a body whose argument J is active.
template <class U, int J, size_t k>
GYRE_INLINE typename Pick<int(k) == J, Dual<U>, U>::Type argument(const U* a) {
  if constexpr (int(k) == J) {
    return Dual<U>(a[k], U(1.0));
  } else {
    return a[k];
  }
}

/// Sum over results r of weight[r] * d result / d (argument J); false when J is not used.
template <class U, class D, int N>
GYRE_INLINE U weighted(const U* weight, const Pack<Dual<D>, N>& r) {
  U t = weight[0] * r.e[0].d;
  for (int i = 1; i < N; ++i) t = fma(weight[i], r.e[i].d, t);
  return t;
}
template <class U, int N>
GYRE_INLINE U weighted(const U*, const Pack<U, N>&) {
  return U(0.0);
}
template <class U, int N>
constexpr bool depends(const Pack<Dual<U>, N>*) {
  return true;
}
template <class U, int N>
constexpr bool depends(const Pack<U, N>*) {
  return false;
}

template <class B, class T>
struct RowTile {
  static constexpr RowSpec q = B::spec;
  static constexpr int A = q.anchored, P = q.scalars + A, I = q.rows, M = q.sums, K = q.coefs,
                       O = q.out_rows, R = q.out_scalars, X = I + (q.indexed ? 1 : 0);
  using V = Vec<T>;
  static constexpr int W = V::width;
  using Sum = Vec<typename Pick<q.wide, double, T>::Type>;
  using One = Vec<double, 1>;
  using Info = RowInfo<typename B::Attrs>;
  static_assert(!q.keeps || !(q.wide || q.scalars));
  static_assert(!q.exact || !(q.keeps || q.anchored || q.indexed));

  static GYRE_INLINE Info info(const void* attrs, double length) {
    return {*static_cast<const typename B::Attrs*>(attrs), length};
  }

  // --- calling the body with argument J active (none: J = -1), out of arrays of values. Results
  // are spelled out because nvcc loses deduced ones here; Body defers the look-up of a reduce
  // or map that a body without sums or row results does not have.

  template <int J, class U, class Body = B, size_t... p, size_t... x>
  static GYRE_INLINE auto call_reduce([[maybe_unused]] const U* s, const U* v, Sequence<p...>,
                                      Sequence<x...>)
      -> decltype(Body::reduce(argument<U, J, p>(s)..., argument<U, J - P, x>(v)...)) {
    return Body::reduce(argument<U, J, p>(s)..., argument<U, J - P, x>(v)...);
  }
  template <int J, class U>
  static GYRE_INLINE auto reduce_at(const U* s, const U* v)
      -> decltype(call_reduce<J>(s, v, MakeSequence<P>{}, MakeSequence<X>{})) {
    return call_reduce<J>(s, v, MakeSequence<P>{}, MakeSequence<X>{});
  }
  // The same for a body that keeps: its map takes what reduce gave.
  template <int J, class U, class E, class Body = B, size_t... k>
  static GYRE_INLINE auto call_kept(const U* c, E e, Sequence<k...>)
      -> decltype(Body::map(argument<U, J, k>(c)..., e)) {
    return Body::map(argument<U, J, k>(c)..., e);
  }
  template <int J, class U>
  static GYRE_INLINE auto map_by(Place<1>, const U* c, const U* p, const U* v)
      -> decltype(call_kept<(J < K ? J : -1)>(c, reduce_at<(J < K ? -1 : J - K + P)>(p, v).e[0],
                                              MakeSequence<K>{})) {
    return call_kept<(J < K ? J : -1)>(c, reduce_at<(J < K ? -1 : J - K + P)>(p, v).e[0],
                                       MakeSequence<K>{});
  }
  template <int J, class U, class Body = B, size_t... k, size_t... x>
  static GYRE_INLINE auto call_map(const U* c, const U* v, Sequence<k...>, Sequence<x...>)
      -> decltype(Body::map(argument<U, J, k>(c)..., argument<U, J - K, x>(v)...)) {
    return Body::map(argument<U, J, k>(c)..., argument<U, J - K, x>(v)...);
  }
  template <int J, class U, class Body = B>
  static GYRE_INLINE auto map_by(Place<0>, const U* c, const U*, const U* v)
      -> decltype(call_map<J, U, Body>(c, v, MakeSequence<K>{}, MakeSequence<X>{})) {
    return call_map<J>(c, v, MakeSequence<K>{}, MakeSequence<X>{});
  }
  template <int J, class U>
  static GYRE_INLINE auto map_at(const U* c, const U* p, const U* v)
      -> decltype(map_by<J, U>(Place<q.keeps>{}, c, p, v)) {
    return map_by<J, U>(Place<q.keeps>{}, c, p, v);
  }
  // Sums are M values and, of an exact body, M rests behind them.
  template <class U, int J, size_t m>
  static GYRE_INLINE auto sum_argument(Place<0>, const U* sums)
      -> decltype(argument<U, J, m>(sums)) {
    return argument<U, J, m>(sums);
  }
  template <class U, int J, size_t m>
  static GYRE_INLINE auto sum_argument(Place<1>, const U* sums)
      -> RowSum<decltype(argument<U, J, m>(sums)), U> {
    return {argument<U, J, m>(sums), sums[M + m]};
  }
  template <int J, class U, size_t... p, size_t... m>
  static GYRE_INLINE auto call_finish(const Info& row, [[maybe_unused]] const U* s,
                                      [[maybe_unused]] const U* sums, Sequence<p...>,
                                      Sequence<m...>)
      -> decltype(B::finish(row, argument<U, J, p>(s)...,
                            sum_argument<U, J - P, m>(Place<q.exact>{}, sums)...)) {
    return B::finish(row, argument<U, J, p>(s)...,
                     sum_argument<U, J - P, m>(Place<q.exact>{}, sums)...);
  }
  template <int J, class U>
  static GYRE_INLINE auto finish_at(const Info& row, const U* s, const U* sums)
      -> decltype(call_finish<J>(row, s, sums, MakeSequence<P>{}, MakeSequence<M>{})) {
    return call_finish<J>(row, s, sums, MakeSequence<P>{}, MakeSequence<M>{});
  }
  template <class U, size_t... x>
  static GYRE_INLINE U call_anchor(const U* v, Sequence<x...>) {
    return B::anchor(v[x]...);
  }

  template <class F, size_t... j>
  static GYRE_INLINE void each([[maybe_unused]] F f, Sequence<j...>) {
    (f(Place<j>{}), ...);
  }

  template <class U, int N>
  static GYRE_INLINE void splat(const double* from, U* to) {
    for (int i = 0; i < N; ++i) to[i] = U(from[i]);
  }
  template <bool kPart, class U>
  static GYRE_INLINE void load_rows(const T* const* in, int64_t i, int64_t begin, int64_t n, U* v) {
    each([&](auto j) GYRE_LAMBDA_INLINE { v[j.value] = load_row<kPart, U>(in[j.value] + i, n); },
         MakeSequence<I>{});
    if constexpr (q.indexed) v[I] = positions<U>(begin + i);
  }
  /// A copy of N pointers that no store can alias, so they stay in registers.
  template <int N, class E>
  static GYRE_INLINE void copy(const E* from, E* to) {
    each([&](auto j) GYRE_LAMBDA_INLINE { to[j.value] = from[j.value]; }, MakeSequence<N>{});
  }
  /// Addresses of the first N operands in the next row.
  template <int N>
  static GYRE_INLINE void find_ahead(const T* const* p, const int64_t* ahead, const T** next) {
    each([&](auto j) GYRE_LAMBDA_INLINE { next[j.value] = p[j.value] + ahead[j.value]; },
         MakeSequence<N>{});
  }
  /// Prefetches `count` elements of N operands starting at i.
  template <int N, int count>
  static GYRE_INLINE void fetch(const T* const* p, int64_t i) {
    constexpr int kLine = 64 / int(sizeof(T));
    each(
        [&](auto j) GYRE_LAMBDA_INLINE {
          const T* from = p[j.value] + i;
          each([&](auto line) GYRE_LAMBDA_INLINE { prefetch(from + line.value * kLine); },
               MakeSequence<(count + kLine - 1) / kLine>{});
        },
        MakeSequence<N>{});
  }

  // --- stages of one row, piece by piece

  // The anchor only reduces cancellation, any value of the row's magnitude: affects rounding only.
  static GYRE_INLINE void take_first(RowState& s, const T* const* in, int64_t begin) {
    if (begin == 0) s.scalars[0] = double(in[0][0]);
  }

  static GYRE_TILE void anchor(RowState& s, const T* const* in, int64_t begin, int64_t n) noexcept {
    if constexpr (q.by_first) {
      take_first(s, in, begin);
    } else if constexpr (A) {
      constexpr int kChains = 4;
      V m[kChains];
      for (V& one : m) one = V(s.scalars[0]);
      auto take = [&](auto part, int64_t i, int64_t left, V& to) GYRE_LAMBDA_INLINE {
        V v[X];
        load_rows<bool(part.value), V>(in, i, begin, left, v);
        to = V::from(raw_max<T, W>(call_anchor(v, MakeSequence<X>{}).v, to.v));
      };
      int64_t i = 0;
      for (; i + kChains * W <= n; i += kChains * W) {
        each([&](auto c) GYRE_LAMBDA_INLINE { take(Place<0>{}, i + c.value * W, W, m[c.value]); },
             MakeSequence<kChains>{});
      }
      for (; i + W <= n; i += W) take(Place<0>{}, i, W, m[0]);
      if (i < n) take(Place<1>{}, i, n - i, m[0]);
      s.scalars[0] = double(max_of_lanes(max(max(m[0], m[1]), max(m[2], m[3]))));
    }
  }

  /// map over vectors of a row.
  struct Mapping {
    const T *in[I], *kept;
    T* out[O + 1];
    bool past_caches;
    V c[K + 1], p[P + 1];

    GYRE_INLINE explicit Mapping(const RowMap<T>& m)
        : kept(static_cast<const T*>(m.row->kept)), past_caches(m.past_caches) {
      copy<I>(m.in, in);
      copy<O>(m.out, out);
      splat<V, K>(m.row->coefs, c);
      splat<V, P>(m.row->scalars, p);
    }
    /// Elements i, ... of the piece at `begin`.
    template <bool kPart>
    GYRE_INLINE void at(int64_t i, int64_t begin, int64_t left) const {
      auto store = [&](auto r) GYRE_LAMBDA_INLINE {
        each(
            [&](auto o) GYRE_LAMBDA_INLINE {
              store_row<kPart>(r.e[o.value], out[o.value] + i, left, past_caches);
            },
            MakeSequence<O>{});
      };
      if constexpr (q.keeps) {
        if (kept) {
          return store(call_kept<-1>(c, V::load(kept + begin + i), MakeSequence<K>{}));
        }
      }
      V v[X];
      load_rows<kPart, V>(in, i, begin, left, v);
      store(map_at<-1>(c, p, v));
    }
  };

  static GYRE_TILE void reduce(RowState& s, const T* const* rows, int64_t begin, int64_t n,
                               [[maybe_unused]] const RowMap<T>* earlier) noexcept {
    if constexpr (M > 0) {
      constexpr int L = Sum::width, kChains = 4, kStep = kChains * L;
      const T *in[I], *next[I];
      copy<I>(rows, in);
      find_ahead<I>(in, s.ahead, next);
      if constexpr (q.by_first) take_first(s, in, begin);
      Sum p[P + 1], sums[kChains][M];
      [[maybe_unused]] T* kept = s.kept ? static_cast<T*>(s.kept) + begin : nullptr;
      splat<Sum, P>(s.scalars, p);
      // every index into `sums` is a constant, so they stay in registers despite the stores
      auto every = [&](auto f) GYRE_LAMBDA_INLINE {
        each(
            [&](auto c) GYRE_LAMBDA_INLINE {
              each([&](auto m) GYRE_LAMBDA_INLINE { f(sums[c.value][m.value]); },
                   MakeSequence<M>{});
            },
            MakeSequence<kChains>{});
      };
      every([](Sum& one) GYRE_LAMBDA_INLINE { one = Sum(0.0); });
      auto take = [&](auto part, int64_t i, int64_t left, auto chain) GYRE_LAMBDA_INLINE {
        Sum v[X];
        load_rows<bool(part.value), Sum>(in, i, begin, left, v);
        auto r = reduce_at<-1>(p, v);
        static_assert(r.size == M, "reduce() returns as many numbers as spec.sums says");
        if constexpr (q.keeps) {
          if (kept) r.e[0].store(kept + i);
        }
        each(
            [&](auto m) GYRE_LAMBDA_INLINE {
              Sum& sum = sums[chain.value][m.value];
              sum = sum + counted<bool(part.value)>(r.e[m.value], left);
            },
            MakeSequence<M>{});
      };
      auto take_all = [&](int64_t i) GYRE_LAMBDA_INLINE {
        fetch<I, kStep>(next, i);
        each([&](auto c) GYRE_LAMBDA_INLINE { take(Place<0>{}, i + c.value * L, L, c); },
             MakeSequence<kChains>{});
      };
      int64_t i = 0;
      if constexpr (O > 0) {
        if (earlier) {
          Mapping mapping(*earlier);
          for (; i + kStep <= n; i += kStep) {
            take_all(i);
            for (int j = 0; j < kStep; j += W) mapping.template at<false>(i + j, begin, W);
          }
          map(*earlier, begin, i, n);
        }
      }
      for (; i + kStep <= n; i += kStep) take_all(i);
      for (; i + L <= n; i += L) take(Place<0>{}, i, L, Place<0>{});
      if (i < n) take(Place<1>{}, i, n - i, Place<0>{});
      each(
          [&](auto m) GYRE_LAMBDA_INLINE {
            constexpr int k = m.value;
            s.sums[k] += lane_sum((sums[0][k] + sums[1][k]) + (sums[2][k] + sums[3][k]));
          },
          MakeSequence<M>{});
    }
  }

  static GYRE_TILE void finish(RowState& s) noexcept {
    One p[P + 1], sums[M + 1];
    splat<One, P>(s.scalars, p);
    splat<One, M>(s.sums, sums);
    auto k = finish_at<-1>(info(s.attrs, s.length), p, sums);
    static_assert(k.size == K, "finish() returns as many numbers as spec.coefs says");
    for (int j = 0; j < K; ++j) s.coefs[j] = k.e[j].only();
  }

  /// Elements [i, n) of the piece at `begin`.
  static GYRE_INLINE void map(const RowMap<T>& m, int64_t begin, int64_t i, int64_t n) {
    if constexpr (O > 0) {
      Mapping mapping(m);
      for (; i + W <= n; i += W) mapping.template at<false>(i, begin, W);
      if (i < n) mapping.template at<true>(i, begin, n - i);
    }
  }
  static GYRE_TILE void map(const RowMap<T>& m, int64_t begin, int64_t n) noexcept {
    map(m, begin, 0, n);
  }

  template <bool kPart>
  static GYRE_INLINE void load_cotangents(const T* const* g, int64_t i, int64_t left, V* w) {
    each([&](auto o) GYRE_LAMBDA_INLINE { w[o.value] = load_row<kPart, V>(g[o.value] + i, left); },
         MakeSequence<O>{});
  }

  static GYRE_TILE void grad_coefs(RowState& s, const T* const* g, const T* const* in,
                                   int64_t begin, int64_t n) noexcept {
    if constexpr (O > 0) {
      constexpr int kChains = 2;
      V c[K + 1], p[P + 1], t[kChains][K + 1];
      const T *next[I], *next_g[O];
      find_ahead<I>(in, s.ahead, next);
      find_ahead<O>(g, s.ahead + I, next_g);
      splat<V, K>(s.coefs, c);
      splat<V, P>(s.scalars, p);
      for (auto& chain : t) {
        for (V& one : chain) one = V(0.0);
      }
      auto take = [&](auto part, int64_t i, int64_t left, V* to) GYRE_LAMBDA_INLINE {
        V v[X], w[O];
        load_rows<bool(part.value), V>(in, i, begin, left, v);
        load_cotangents<bool(part.value)>(g, i, left, w);
        each(
            [&](auto k) GYRE_LAMBDA_INLINE {
              V d = weighted<V>(w, map_at<int(k.value)>(c, p, v));
              to[k.value] = to[k.value] + counted<bool(part.value)>(d, left);
            },
            MakeSequence<K>{});
      };
      int64_t i = 0;
      for (; i + kChains * W <= n; i += kChains * W) {
        fetch<I, kChains * W>(next, i);
        fetch<O, kChains * W>(next_g, i);
        each([&](auto h) GYRE_LAMBDA_INLINE { take(Place<0>{}, i + h.value * W, W, t[h.value]); },
             MakeSequence<kChains>{});
      }
      for (; i + W <= n; i += W) take(Place<0>{}, i, W, t[0]);
      if (i < n) take(Place<1>{}, i, n - i, t[0]);
      for (int k = 0; k < K; ++k) s.grad_coefs[k] += lane_sum(t[0][k] + t[1][k]);
    }
  }

  static GYRE_TILE void grad_finish(RowState& s) noexcept {
    One p[P + 1], sums[M + 1], w[K + 1];
    splat<One, P>(s.scalars, p);
    splat<One, M>(s.sums, sums);
    splat<One, K>(s.grad_coefs, w);
    Info row = info(s.attrs, s.length);
    each(
        [&](auto m) GYRE_LAMBDA_INLINE {
          s.grad_sums[m.value] = weighted<One>(w, finish_at<P + int(m.value)>(row, p, sums)).only();
        },
        MakeSequence<M>{});
    each(
        [&](auto j) GYRE_LAMBDA_INLINE {
          s.grad_scalars[j.value] =
              weighted<One>(w, finish_at<A + int(j.value)>(row, p, sums)).only();
        },
        MakeSequence<q.scalars>{});
  }

  /// Adds n lanes to sums.
  template <bool kPart>
  static GYRE_INLINE void add_some(V x, double* sums, int64_t n) {
    if constexpr (kPart || GYRE_RAW_SCALAR) {
      for (int64_t l = 0; l < n; ++l) sums[l] += double(x[int(l)]);
    } else if constexpr (sizeof(T) == 8) {
      (V::load(sums) + x).store(sums);
    } else {
#if !GYRE_RAW_SCALAR
      using H = Vec<T, W / 2>;
      using D = Vec<double, W / 2>;
      D low = convert<double>(H::from(raw_half<T, W, false>(x.v)));
      D high = convert<double>(H::from(raw_half<T, W, true>(x.v)));
      (D::load(sums) + low).store(sums);
      (D::load(sums + W / 2) + high).store(sums + W / 2);
#endif
    }
  }

  static GYRE_TILE void grad_map(RowState& s, const T* const* cotangents, const T* const* rows,
                                 const RowGradient<T>* wanted, int64_t begin, int64_t n) noexcept {
    const T *in[I], *g[O + 1];
    RowGradient<T> to[I];
    copy<I>(rows, in);
    copy<O>(cotangents, g);
    copy<I>(wanted, to);
    V c[K + 1], p[P + 1], u[M + 1], t[q.scalars + 1];
    splat<V, K>(s.coefs, c);
    splat<V, P>(s.scalars, p);
    splat<V, M>(s.grad_sums, u);
    for (int j = 0; j < q.scalars; ++j) t[j] = V(0.0);
    over<W>(n, [&](auto part, int64_t i, int64_t left) GYRE_LAMBDA_INLINE {
      constexpr bool kPart = decltype(part)::value == 1;
      V v[X], w[O + 1];
      load_rows<kPart, V>(in, i, begin, left, v);
      load_cotangents<kPart>(g, i, left, w);
      each(
          [&](auto j) GYRE_LAMBDA_INLINE {
            auto [out, sums, past_caches] = to[j.value];
            if (!out && !sums) return;
            V d = gradient_of_input<int(j.value)>(c, p, v, w, u);
            if (out) {
              store_row<kPart>(d, out + i, left, past_caches);
            } else {
              add_some<kPart>(d, sums + i, left);
            }
          },
          MakeSequence<I>{});
      each(
          [&](auto j) GYRE_LAMBDA_INLINE {
            V d = gradient_of_scalar<int(j.value)>(p, v, u);
            t[j.value] = t[j.value] + counted<kPart>(d, left);
          },
          MakeSequence<q.scalars>{});
    });
    for (int j = 0; j < q.scalars; ++j) s.grad_scalars[j] += lane_sum(t[j]);
  }

  template <int J, class U>
  static GYRE_INLINE U gradient_of_input(const U* c, const U* p, const U* v, const U* w,
                                         const U* u) {
    U d(0.0);
    if constexpr (O > 0) d = weighted<U>(w, map_at<K + J>(c, p, v));
    if constexpr (M > 0) {
      using Result = decltype(reduce_at<P + J>(p, v));
      if constexpr (depends(static_cast<const Result*>(nullptr))) {
        d = d + weighted<U>(u, reduce_at<P + J>(p, v));
      }
    }
    return d;
  }
  template <int J, class U>
  static GYRE_INLINE U gradient_of_scalar(const U* p, const U* v, const U* u) {
    if constexpr (M > 0) return weighted<U>(u, reduce_at<A + J>(p, v));
    return U(0.0);
  }
};

}  // namespace
}  // namespace gyre

#include "gyre/kernel/rows/row_block_tile.h"
#include "gyre/kernel/rows/rowwise_across.h"

namespace gyre {
namespace {

template <class B, class T>
constexpr RowStages<T> row_stages() {
  using R = RowTile<B, T>;
  return {R::anchor, R::reduce, R::finish, R::map, R::grad_coefs, R::grad_finish, R::grad_map};
}
template <class B, class T>
constexpr AcrossTile<T> across_tile() {
  using R = RowLanes<B, T>;
  return {R::L, R::forward, R::gradient};
}

template <class B>
constexpr RowwiseTiles rowwise_tiles() {
  if constexpr (B::spec.exact) {
    return {{}, {}, {}, {}, BlockTile<B>::tiles()};
  } else {
    return {row_stages<B, float>(),
            row_stages<B, double>(),
            across_tile<B, float>(),
            across_tile<B, double>(),
            {}};
  }
}

}  // namespace
}  // namespace gyre
