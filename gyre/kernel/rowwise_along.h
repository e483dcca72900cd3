#pragma once
// Included by rowwise_tile.h: rows of exact bodies along memory, in blocks of as many as a vector
// has lanes. Elements are summed and mapped row by row; what a row has one number of is computed
// for the rows of a block at once, one a lane.

namespace gyre {
namespace {

template <class B, class T>
struct RowsAlong : RowTile<B, T> {
  using Base = RowTile<B, T>;
  using Base::I, Base::K, Base::M, Base::O, Base::P, Base::R, Base::W, Base::X, Base::q;
  using V = typename Base::V;  // also of numbers, one row a lane
  using Args = RowsArgs<T>;
  static constexpr int kRows = kMostTogether;
  static_assert(W <= kShortestAlong && kRows % W == 0);
  // what a sum is gathered in, and what its rest is
  using Sum = typename Pick<Base::kTwofold, Two<V>, V>::Type;
  using Element = typename Pick<Base::kTwofold, Word<V>, V>::Type;

  /// A number for each row of the block.
  struct Number {
    double of[W];
    GYRE_INLINE V row(int l) const { return V(of[l]); }
    GYRE_INLINE V all() const { return V::load(of); }
  };
  struct Block {
    int64_t first;
    int rows;
    Number scalars[P + 1], coefs[K + 1], grad_sums[M + 1];
    V sums[2 * M + 1];
  };

  template <int N>
  static GYRE_INLINE void take(const Number* numbers, int l, V* to) {
    Base::each([&](auto j) GYRE_LAMBDA_INLINE { to[j.value] = numbers[j.value].row(l); },
               MakeSequence<N>{});
  }
  template <int N>
  static GYRE_INLINE void take_all(const Number* numbers, V* to) {
    Base::each([&](auto j) GYRE_LAMBDA_INLINE { to[j.value] = numbers[j.value].all(); },
               MakeSequence<N>{});
  }
  template <int N, class E>
  static GYRE_INLINE void row_at(E* const* operands, const int64_t* stride, int64_t row, E** to) {
    Base::each(
        [&](auto k) GYRE_LAMBDA_INLINE {
          to[k.value] = operands[k.value] + row * stride[k.value];
        },
        MakeSequence<N>{});
  }
  /// step(i, chain, again) for vectors of a row at i; the last one has lanes of the one before
  /// `again`. Chains are as many as it takes to hide how long an addition is.
  template <int chains, class F>
  static GYRE_INLINE void over_row(int64_t length, F step) {
    int64_t i = 0;
    for (; i + chains * W <= length; i += chains * W) {
      Base::each([&](auto c) GYRE_LAMBDA_INLINE { step(i + c.value * W, c, Place<0>{}); },
                 MakeSequence<chains>{});
    }
    if constexpr (chains > 1) {
      for (; i + W <= length; i += W) step(i, Place<0>{}, Place<0>{});
    }
    if (i < length) step(length - W, Place<0>{}, Place<1>{});
  }
  static GYRE_INLINE V sum_of(V a, V b) { return a + b; }
  static GYRE_INLINE Two<V> sum_of(Two<V> a, Two<V> b) { return gathered(a, b); }
  static GYRE_INLINE void clear(V& x) { x = V(0.0); }
  static GYRE_INLINE void clear(Two<V>& x) { x = {V(0.0), V(0.0)}; }
  static GYRE_INLINE V where(typename V::M m, V x) { return select(m, x, V(0.0)); }
  static GYRE_INLINE Two<V> where(typename V::M m, Two<V> x) {
    return {where(m, x.hi), where(m, x.lo)};
  }

  /// Sums over each row of the block of the N numbers that terms(row's own, i) has of a vector:
  /// begin(l) is the row's own.
  template <int N, class S, class Begin, class Terms>
  static GYRE_INLINE void sum_rows(const Args& a, const Block& s, S* to, Begin begin, Terms terms) {
    const auto fresh = positions<V>(0) >= V(double(W - a.length % W));
    constexpr int kChains = N == 1 ? 2 : 1;
    S sums[N][W];
    for (int l = 0; l < W; ++l) {
      auto own = begin(l, s.first + (l < s.rows ? l : s.rows - 1));
      S t[kChains][N];
      // every place in `t` is a constant: they stay in registers
      Base::each(
          [&](auto c) GYRE_LAMBDA_INLINE {
            Base::each([&](auto n) GYRE_LAMBDA_INLINE { clear(t[c.value][n.value]); },
                       MakeSequence<N>{});
          },
          MakeSequence<kChains>{});
      over_row<kChains>(a.length, [&](int64_t i, auto chain, auto again) GYRE_LAMBDA_INLINE {
        auto r = terms(own, i);
        Base::each(
            [&](auto n) GYRE_LAMBDA_INLINE {
              S& sum = t[chain.value][n.value];
              if constexpr (again.value == 0) {
                sum = sum_of(sum, r.e[n.value]);
              } else {
                sum = sum_of(sum, where(fresh, r.e[n.value]));
              }
            },
            MakeSequence<N>{});
      });
      Base::each(
          [&](auto n) GYRE_LAMBDA_INLINE {
            sums[n.value][l] = t[0][n.value];
            if constexpr (kChains > 1) sums[n.value][l] = sum_of(t[0][n.value], t[1][n.value]);
          },
          MakeSequence<N>{});
    }
    Base::each([&](auto n) GYRE_LAMBDA_INLINE { to[n.value] = sums_of_lanes(sums[n.value]); },
               MakeSequence<N>{});
  }

  // Vectors of the row's operands and its numbers.
  struct Own {
    const T *in[X], *grad[O + 1];
    V p[P + 1], c[K + 1], u[M + 1];
  };

  static GYRE_INLINE void find_sums(const Args& a, Block& s) {
    if constexpr (M > 0) {
      Sum t[M];
      sum_rows<M>(
          a, s, t,
          [&](int l, int64_t row) GYRE_LAMBDA_INLINE {
            Own own;
            row_at<I>(a.in, a.in_stride, row, own.in);
            take<P>(s.scalars, l, own.p);
            return own;
          },
          [](const Own& own, int64_t i) GYRE_LAMBDA_INLINE {
            V v[X];
            Base::template load_rows<false, V>(own.in, i, 0, W, v);
            Element p[P + 1], x[X];
            for (int j = 0; j < P; ++j) p[j] = own.p[j];
            for (int k = 0; k < X; ++k) x[k] = v[k];
            return Base::template reduce_at<-1>(p, x);
          });
      for (int m = 0; m < M; ++m) split(t[m], s.sums[m], s.sums[M + m]);
    }
  }
  static GYRE_INLINE void split(V x, V& sum, V& rest) {
    sum = x;
    rest = V(0.0);
  }
  static GYRE_INLINE void split(Two<V> x, V& sum, V& rest) {
    Two<V> t = fast_two_sum(x.hi, x.lo);
    sum = t.hi;
    rest = t.lo;
  }

  static GYRE_INLINE void begin(const Args& a, int64_t first, Block& s) {
    s.first = first;
    s.rows = int(a.rows - first < W ? a.rows - first : W);
    for (int j = 0; j < P; ++j) V::load(a.scalars[j] + first).store(s.scalars[j].of);
    find_sums(a, s);
  }
  static GYRE_INLINE void find_coefs(const Args& a, Block& s) {
    V p[P + 1];
    take_all<P>(s.scalars, p);
    auto k = Base::template finish_at<-1>(Base::info(a.attrs, double(a.length)), p, s.sums);
    for (int j = 0; j < K; ++j) k.e[j].store(s.coefs[j].of);
  }

  /// f(block) for all blocks, begun; two at a time, since finish() is long and waits for itself.
  template <class Finish, class Rest>
  static GYRE_INLINE void over_blocks(const Args& a, Finish finish, Rest rest) {
    for (int64_t first = 0; first < a.rows; first += 2 * W) {
      Block s[2];
      const bool both = first + W < a.rows;
      begin(a, first, s[0]);
      if (both) begin(a, first + W, s[1]);
      finish(s[0]);
      if (both) finish(s[1]);
      rest(s[0]);
      if (both) rest(s[1]);
    }
  }

  static void forward(const Args& a) noexcept {
    over_blocks(
        a,
        [&](Block& s) GYRE_LAMBDA_INLINE {
          find_coefs(a, s);
          for (int j = 0; j < R; ++j) s.coefs[j].all().store(a.scalars_out[j] + s.first);
        },
        [&](Block& s) GYRE_LAMBDA_INLINE {
          if constexpr (O > 0) {
            for (int l = 0; l < s.rows; ++l) map_row(a, s, l);
          }
        });
  }
  /// step(i, past_caches) for the vectors of a row.
  template <class F>
  static GYRE_INLINE void write_row(const Args& a, F step) {
    if (a.past_caches) {
      over_row<1>(a.length, [&](int64_t i, auto, auto) GYRE_LAMBDA_INLINE { step(i, true); });
    } else {
      over_row<1>(a.length, [&](int64_t i, auto, auto) GYRE_LAMBDA_INLINE { step(i, false); });
    }
  }
  static GYRE_INLINE void map_row(const Args& a, const Block& s, int l) {
    const T* in[X];
    T* out[O + 1];
    V p[P + 1], c[K + 1];
    row_at<I>(a.in, a.in_stride, s.first + l, in);
    row_at<O>(a.out, a.out_stride, s.first + l, out);
    take<P>(s.scalars, l, p);
    take<K>(s.coefs, l, c);
    write_row(a, [&](int64_t i, bool past_caches) GYRE_LAMBDA_INLINE {
      V v[X];
      Base::template load_rows<false, V>(in, i, 0, W, v);
      auto r = Base::template map_at<-1>(c, p, v);
      for (int o = 0; o < O; ++o) store_row<false>(r.e[o], out[o] + i, W, past_caches);
    });
  }

  static GYRE_INLINE void find_grad_coefs(const Args& a, const Block& s, V* t) {
    if constexpr (O > 0) {
      sum_rows<K>(
          a, s, t,
          [&](int l, int64_t row) GYRE_LAMBDA_INLINE {
            Own own;
            row_at<I>(a.in, a.in_stride, row, own.in);
            row_at<O>(a.grad, a.grad_stride, row, own.grad);
            take<P>(s.scalars, l, own.p);
            take<K>(s.coefs, l, own.c);
            return own;
          },
          [](const Own& own, int64_t i) GYRE_LAMBDA_INLINE {
            V v[X], w[O + 1];
            Base::template load_rows<false, V>(own.in, i, 0, W, v);
            Base::template load_cotangents<false>(own.grad, i, W, w);
            Pack<V, K> r;
            Base::each(
                [&](auto k) GYRE_LAMBDA_INLINE {
                  r.e[k.value] = Base::template weighted<V>(
                      w, Base::template map_at<int(k.value)>(own.c, own.p, v));
                },
                MakeSequence<K>{});
            return r;
          });
    } else {
      for (int k = 0; k < K; ++k) t[k] = V(0.0);
    }
    for (int k = 0; k < R; ++k) t[k] = t[k] + V::load(a.grad_scalars[k] + s.first);
  }

  static GYRE_INLINE void through_finish(const Args& a, Block& s, const V* w) {
    auto row = Base::info(a.attrs, double(a.length));
    V p[P + 1];
    take_all<P>(s.scalars, p);
    Base::each(
        [&](auto m) GYRE_LAMBDA_INLINE {
          auto r = Base::template finish_at<P + int(m.value)>(row, p, s.sums);
          Base::template weighted<V>(w, r).store(s.grad_sums[m.value].of);
        },
        MakeSequence<M>{});
    Base::each(
        [&](auto j) GYRE_LAMBDA_INLINE {
          if (!a.scalars_out[j.value]) return;
          auto r = Base::template finish_at<int(j.value)>(row, p, s.sums);
          Base::template weighted<V>(w, r).store(a.scalars_out[j.value] + s.first);
        },
        MakeSequence<q.scalars>{});
  }

  static void gradient(const Args& a) noexcept {
    over_blocks(
        a,
        [&](Block& s) GYRE_LAMBDA_INLINE {
          if constexpr (O > 0) find_coefs(a, s);
        },
        [&](Block& s) GYRE_LAMBDA_INLINE {
          V w[K + 1];
          find_grad_coefs(a, s, w);
          through_finish(a, s, w);
          for (int l = 0; l < s.rows; ++l) gradient_of_row(a, s, l);
        });
  }
  static GYRE_INLINE void gradient_of_row(const Args& a, const Block& s, int l) {
    const T *in[X], *g[O + 1];
    T* out[I];
    V p[P + 1], c[K + 1], u[M + 1];
    row_at<I>(a.in, a.in_stride, s.first + l, in);
    row_at<O>(a.grad, a.grad_stride, s.first + l, g);
    row_at<I>(a.out, a.out_stride, s.first + l, out);
    take<P>(s.scalars, l, p);
    take<K>(s.coefs, l, c);
    take<M>(s.grad_sums, l, u);
    write_row(a, [&](int64_t i, bool past_caches) GYRE_LAMBDA_INLINE {
      V v[X], w[O + 1];
      Base::template load_rows<false, V>(in, i, 0, W, v);
      Base::template load_cotangents<false>(g, i, W, w);
      Base::each(
          [&](auto j) GYRE_LAMBDA_INLINE {
            if (!a.out[j.value]) return;
            store_row<false>(Base::template gradient_of_input<int(j.value)>(c, p, v, w, u),
                             out[j.value] + i, W, past_caches);
          },
          MakeSequence<I>{});
    });
  }
};

}  // namespace
}  // namespace gyre
