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
  using In = ManyOperands<const T, I>;
  using Grads = ManyOperands<const T, O>;
  static constexpr int kRows = kMostTogether;
  // finish() is long and waits for itself: that of two blocks of short rows goes on side by side.
  static constexpr int kBlocks = 2;
  static constexpr int64_t kLong = 128;
  static_assert(W <= kShortestAlong && kRows % W == 0);
  static constexpr bool kTwofold = Base::kTwofold;

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
    V sums[2 * M + 1];  // then their rests
  };
  /// Asks for what the same row of the next block has at i, where rows are long: the last pass over
  /// a block does, so that the memory is read all the time. Past the last row it does no harm.
  template <int N>
  static GYRE_INLINE void fetch_next(const T* const* row, const int64_t* stride, int64_t i,
                                     int64_t length) {
    if (length < kLong) return;
    const T* next[N + 1];
    Base::each([&](auto k)
                   GYRE_LAMBDA_INLINE { next[k.value] = row[k.value] + W * stride[k.value]; },
               MakeSequence<N>{});
    Base::template fetch<N, W>(next, i);
  }
  /// Vectors of one row's numbers.
  struct Row {
    V p[P + 1], c[K + 1];
    GYRE_INLINE Row(const Block& s, int l) {
      take<P>(s.scalars, l, p);
      take<K>(s.coefs, l, c);
    }
  };

  template <int N>
  static GYRE_INLINE void take(const Number* numbers, int l, V* to) {
    Base::each([&](auto j) GYRE_LAMBDA_INLINE { to[j.value] = numbers[j.value].row(l); },
               MakeSequence<N>{});
  }
  template <class E, int N>
  static GYRE_INLINE void find_row(const ManyOperands<E, N>& operands, int64_t row, E** to) {
    Base::each([&](auto k) GYRE_LAMBDA_INLINE { to[k.value] = operands(int(k.value), row, 0); },
               MakeSequence<N>{});
  }
  /// step(i, again) for the vectors of a row at i: the last one, if the row is no whole number of
  /// vectors, has lanes of the one before `again`.
  template <class F>
  static GYRE_INLINE void over_row(int64_t length, F step) {
    int64_t i = 0;
    for (; i + W <= length; i += W) step(i, Place<0>{});
    if (i < length) step(length - W, Place<1>{});
  }

  static GYRE_INLINE V sum_of(V a, V b) { return a + b; }
  static GYRE_INLINE Two<V> sum_of(Two<V> a, Two<V> b) { return gathered(a, b); }
  static GYRE_INLINE void clear(V& x) { x = V(0.0); }
  static GYRE_INLINE void clear(Two<V>& x) { x = {V(0.0), V(0.0)}; }
  static GYRE_INLINE V where(typename V::M m, V x) { return select(m, x, V(0.0)); }
  static GYRE_INLINE Two<V> where(typename V::M m, Two<V> x) {
    return {where(m, x.hi), where(m, x.lo)};
  }

  /// Sums over each row of the block of the N numbers that terms(i) gives of the vector at i, where
  /// terms is begin(l, row) for row l of the block.
  template <int N, class S, class Begin>
  static GYRE_INLINE void sum_rows(const Args& a, const Block& s, S* to, Begin begin) {
    const auto fresh = positions<V>(0) >= V(double(W - a.length % W));
    const int64_t length = a.length;
    S sums[N][W];
    for (int l = 0; l < W; ++l) {
      auto terms = begin(l, s.first + (l < s.rows ? l : s.rows - 1));
      S t[N];
      // every place in `t` is a constant: they stay in registers
      Base::each([&](auto n) GYRE_LAMBDA_INLINE { clear(t[n.value]); }, MakeSequence<N>{});
      over_row(length, [&](int64_t i, auto again) GYRE_LAMBDA_INLINE {
        auto r = terms(i);
        Base::each(
            [&](auto n) GYRE_LAMBDA_INLINE {
              S x = r.e[n.value];
              if constexpr (again.value) x = where(fresh, x);
              t[n.value] = sum_of(t[n.value], x);
            },
            MakeSequence<N>{});
      });
      Base::each([&](auto n) GYRE_LAMBDA_INLINE { sums[n.value][l] = t[n.value]; },
                 MakeSequence<N>{});
    }
    for (int n = 0; n < N; ++n) to[n] = sums_of_lanes(sums[n]);
  }

  static GYRE_INLINE void find_sums(const Args& a, const In& in, Block& s) {
    if constexpr (M > 0) {
      using Element = typename Pick<kTwofold, Word<V>, V>::Type;
      typename Pick<kTwofold, Two<V>, V>::Type t[M];
      sum_rows<M>(a, s, t, [&](int l, int64_t row) GYRE_LAMBDA_INLINE {
        struct {
          const In& in;
          int64_t length;
          const T* row[X];
          Element p[P + 1];
          GYRE_INLINE auto operator()(int64_t i) const {
            V v[X];
            if constexpr (O == 0) fetch_next<I>(row, in.stride, i, length);
            Base::template load_rows<false, V>(row, i, 0, W, v);
            Element x[X];
            for (int k = 0; k < X; ++k) x[k] = v[k];
            return Base::template reduce_at<-1>(p, x);
          }
        } terms{in, a.length, {}, {}};
        find_row(in, row, terms.row);
        for (int j = 0; j < P; ++j) terms.p[j] = s.scalars[j].row(l);
        return terms;
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

  static GYRE_INLINE void take_scalars(const Block& s, V* p) {
    for (int j = 0; j < P; ++j) p[j] = s.scalars[j].all();
  }
  static GYRE_INLINE void find_coefs(const Args& a, Block& s) {
    V p[P + 1];
    take_scalars(s, p);
    auto k = Base::template finish_at<-1>(Base::info(a.attrs, double(a.length)), p, s.sums);
    for (int j = 0; j < K; ++j) k.e[j].store(s.coefs[j].of);
  }

  /// finish(block), then rest(block) for all blocks, with their sums.
  template <class Finish, class Rest>
  static GYRE_INLINE void over_blocks(const Args& a, const In& in, Finish finish, Rest rest) {
    Block blocks[kBlocks];
    const int most = a.length < kLong ? kBlocks : 1;
    for (int64_t first = 0; first < a.rows;) {
      int count = 0;
      for (; count < most && first < a.rows; ++count, first += W) {
        Block& s = blocks[count];
        s.first = first;
        s.rows = int(a.rows - first < W ? a.rows - first : W);
        for (int j = 0; j < P; ++j) V::load(a.scalars[j] + first).store(s.scalars[j].of);
        find_sums(a, in, s);
      }
      for (int b = 0; b < count; ++b) finish(blocks[b]);
      for (int b = 0; b < count; ++b) rest(blocks[b]);
    }
  }

  static void forward(const Args& a) noexcept {
    In in(a.in, a.in_stride);
    ManyOperands<T, O> out(a.out, a.out_stride);
    over_blocks(
        a, in,
        [&](Block& s) GYRE_LAMBDA_INLINE {
          find_coefs(a, s);
          for (int j = 0; j < R; ++j) s.coefs[j].all().store(a.scalars_out[j] + s.first);
        },
        [&](const Block& s) GYRE_LAMBDA_INLINE {
          if constexpr (O > 0) map_rows(a, in, out, s);
        });
  }
  static GYRE_INLINE void map_rows(const Args& a, const In& in, const ManyOperands<T, O>& out,
                                   const Block& s) {
    const bool past_caches = a.past_caches;
    const int64_t length = a.length;
    for (int l = 0; l < s.rows; ++l) {
      const T* from[X];
      T* to[O + 1];
      Row row(s, l);
      find_row(in, s.first + l, from);
      find_row(out, s.first + l, to);
      over_row(length, [&](int64_t i, auto) GYRE_LAMBDA_INLINE {
        V v[X];
        fetch_next<I>(from, in.stride, i, length);
        Base::template load_rows<false, V>(from, i, 0, W, v);
        auto r = Base::template map_at<-1>(row.c, row.p, v);
        for (int o = 0; o < O; ++o) store_row<false>(r.e[o], to[o] + i, W, past_caches);
      });
    }
  }

  static GYRE_INLINE void find_grad_coefs(const Args& a, const In& in, const Grads& grads,
                                          const Block& s, V* t) {
    if constexpr (O > 0) {
      sum_rows<K>(a, s, t, [&](int l, int64_t at) GYRE_LAMBDA_INLINE {
        struct Terms {
          const T *in[X], *g[O];
          Row row;
          GYRE_INLINE Pack<V, K> operator()(int64_t i) const {
            V v[X], w[O];
            Base::template load_rows<false, V>(in, i, 0, W, v);
            Base::template load_cotangents<false>(g, i, W, w);
            Pack<V, K> r;
            Base::each(
                [&](auto k) GYRE_LAMBDA_INLINE {
                  r.e[k.value] = Base::template weighted<V>(
                      w, Base::template map_at<int(k.value)>(row.c, row.p, v));
                },
                MakeSequence<K>{});
            return r;
          }
        } terms{{}, {}, Row(s, l)};
        find_row(in, at, terms.in);
        find_row(grads, at, terms.g);
        return terms;
      });
    } else {
      for (int k = 0; k < K; ++k) t[k] = V(0.0);
    }
    for (int k = 0; k < R; ++k) t[k] = t[k] + V::load(a.grad_scalars[k] + s.first);
  }

  static GYRE_INLINE void through_finish(const Args& a, Block& s, const V* w) {
    auto row = Base::info(a.attrs, double(a.length));
    V p[P + 1];
    take_scalars(s, p);
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
    In in(a.in, a.in_stride);
    Grads grads(a.grad, a.grad_stride);
    ManyOperands<T, I> out(a.out, a.out_stride);
    over_blocks(
        a, in,
        [&](Block& s) GYRE_LAMBDA_INLINE {
          if constexpr (O > 0) find_coefs(a, s);
        },
        [&](Block& s) GYRE_LAMBDA_INLINE {
          V w[K + 1];
          find_grad_coefs(a, in, grads, s, w);
          through_finish(a, s, w);
          map_gradients(a, in, grads, out, s);
        });
  }
  static GYRE_INLINE void map_gradients(const Args& a, const In& in, const Grads& grads,
                                        const ManyOperands<T, I>& out, const Block& s) {
    const bool past_caches = a.past_caches;
    const int64_t length = a.length;
    for (int l = 0; l < s.rows; ++l) {
      const T *from[X], *g[O + 1];
      T* to[I];
      V u[M + 1];
      Row row(s, l);
      take<M>(s.grad_sums, l, u);
      find_row(in, s.first + l, from);
      find_row(grads, s.first + l, g);
      find_row(out, s.first + l, to);
      over_row(length, [&](int64_t i, auto) GYRE_LAMBDA_INLINE {
        V v[X], w[O + 1];
        fetch_next<I>(from, in.stride, i, length);
        fetch_next<O>(g, grads.stride, i, length);
        Base::template load_rows<false, V>(from, i, 0, W, v);
        Base::template load_cotangents<false>(g, i, W, w);
        Base::each(
            [&](auto j) GYRE_LAMBDA_INLINE {
              if (!out.at[j.value]) return;
              store_row<false>(
                  Base::template gradient_of_input<int(j.value)>(row.c, row.p, v, w, u),
                  to[j.value] + i, W, past_caches);
            },
            MakeSequence<I>{});
      });
    }
  }
};

}  // namespace
}  // namespace gyre
