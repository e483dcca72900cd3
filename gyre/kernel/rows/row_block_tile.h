#pragma once
// Included by rowwise_tile.h: tiles of exact bodies, on blocks of rows. Elements are summed and
// mapped row by row; per-row numbers are computed for many rows at once, one row per lane.

namespace gyre {
namespace {

// Independent of the body, so not compiled again for each.

using BlockLanes = Vec<double>;
using BlockNumbers = double[kBlockRows];

/// Broadcasts the numbers of one row to every lane.
template <size_t... j>
GYRE_INLINE void of_row([[maybe_unused]] const BlockNumbers* numbers, [[maybe_unused]] int row,
                        [[maybe_unused]] BlockLanes* to, Sequence<j...>) {
  ((to[j] = BlockLanes(numbers[j][row])), ...);
}
/// Those of the rows from `lane` on.
template <size_t... j>
GYRE_INLINE void of_lanes([[maybe_unused]] const BlockNumbers* numbers, [[maybe_unused]] int lane,
                          [[maybe_unused]] BlockLanes* to, Sequence<j...>) {
  ((to[j] = BlockLanes::load(numbers[j] + lane)), ...);
}
/// Vectors at i of one row of some operands; the last ones may extend into the next row.
template <class T, size_t... k>
GYRE_INLINE void load_at([[maybe_unused]] const T* const* from, [[maybe_unused]] int64_t i,
                         [[maybe_unused]] BlockLanes* to, Sequence<k...>) {
  ((to[k] = load_row<false, BlockLanes>(from[k] + i, 0)), ...);
}
template <class E, class P, size_t... k>
GYRE_INLINE void find_row([[maybe_unused]] P* const* operands, [[maybe_unused]] const int64_t* step,
                          [[maybe_unused]] int row, [[maybe_unused]] E** to, Sequence<k...>) {
  ((to[k] = static_cast<E*>(operands[k]) + row * step[k]), ...);
}

GYRE_INLINE void set_zero(BlockLanes& x) { x = BlockLanes(0.0); }
GYRE_INLINE void set_zero(Two<BlockLanes>& x) { x = {BlockLanes(0.0), BlockLanes(0.0)}; }
GYRE_INLINE BlockLanes lanes_where(BlockLanes::M m, BlockLanes x) {
  return select(m, x, BlockLanes(0.0));
}
GYRE_INLINE Two<BlockLanes> lanes_where(BlockLanes::M m, Two<BlockLanes> x) {
  return {lanes_where(m, x.hi), lanes_where(m, x.lo)};
}
GYRE_INLINE BlockLanes sum_of(BlockLanes a, BlockLanes b) { return a + b; }
GYRE_INLINE Two<BlockLanes> sum_of(Two<BlockLanes> a, Two<BlockLanes> b) { return gathered(a, b); }

#if defined(__CUDACC__)
#define GYRE_CALLED GYRE_INLINE
#else
#define GYRE_CALLED inline __attribute__((noinline))
#endif
/// Adds the lane sums of each row's vector to its total.
GYRE_CALLED void add_rows(const BlockLanes* rows, double* sums, double*) {
  (BlockLanes::load(sums) + sums_of_lanes(rows)).store(sums);
}
GYRE_CALLED void add_rows(const Two<BlockLanes>* rows, double* sums, double* rests) {
  auto t = gathered({BlockLanes::load(sums), BlockLanes::load(rests)}, sums_of_lanes(rows));
  t = fast_two_sum(t.hi, t.lo);
  t.hi.store(sums);
  t.lo.store(rests);
}
#undef GYRE_CALLED

template <class B>
struct BlockTile : RowTile<B, double> {
  using Base = RowTile<B, double>;
  using Base::I, Base::K, Base::M, Base::O, Base::P, Base::q;
  using V = BlockLanes;
  static constexpr int W = V::width;
  using Numbers = BlockNumbers;
  template <int N>
  using Of = MakeSequence<N>;
  static_assert(q.exact && kBlockRows % W == 0 && W <= kBlockSlack);

  /// Adds terms(i) at each vector i to N sums of each row, of S, where terms is begin(row).
  template <int N, class S, class Begin>
  static GYRE_INLINE void sum_rows(const RowBlock& s, int64_t length, Numbers* sums, Numbers* rests,
                                   Begin begin) {
    for (int first = 0; first < s.rows; first += W) {
      S lanes[N][W];
      for (int l = 0; l < W; ++l) {
        S t[N];
        // every index into `t` is a constant, so it stays in registers
        Base::each([&](auto n) GYRE_LAMBDA_INLINE { set_zero(t[n.value]); }, MakeSequence<N>{});
        if (first + l < s.rows) {
          auto terms = begin(first + l);
          for (int64_t i = 0; i < length; i += W) {
            auto r = terms(i);
            if (length - i < W) {
              auto inside = positions<V>(0) < V(double(length - i));
              Base::each(
                  [&](auto n)
                      GYRE_LAMBDA_INLINE { r.e[n.value] = lanes_where(inside, r.e[n.value]); },
                  MakeSequence<N>{});
            }
            Base::each([&](auto n)
                           GYRE_LAMBDA_INLINE { t[n.value] = sum_of(t[n.value], r.e[n.value]); },
                       MakeSequence<N>{});
          }
        }
        Base::each([&](auto n) GYRE_LAMBDA_INLINE { lanes[n.value][l] = t[n.value]; },
                   MakeSequence<N>{});
      }
      for (int n = 0; n < N; ++n) add_rows(lanes[n], sums[n] + first, rests[n] + first);
    }
  }

  template <class T, bool kTwofold>
  static GYRE_TILE void reduce(RowBlock& s, const BlockPiece& a) noexcept {
    if constexpr (M > 0) {
      using Element = typename Pick<kTwofold, Word<V>, V>::Type;
      using Sum = typename Pick<kTwofold, Two<V>, V>::Type;
      sum_rows<M, Sum>(s, a.length, s.sums, s.rests, [&](int row) GYRE_LAMBDA_INLINE {
        struct Terms {
          const T* in[I];
          Element p[P + 1];
          GYRE_INLINE auto operator()(int64_t i) const {
            V v[I];
            Element x[I];
            load_at(in, i, v, Of<I>{});
            for (int k = 0; k < I; ++k) x[k] = v[k];
            return Base::template reduce_at<-1>(p, x);
          }
        } terms;
        find_row(a.in, a.in_step, row, terms.in, Of<I>{});
        for (int j = 0; j < P; ++j) terms.p[j] = V(s.scalars[j][row]);
        return terms;
      });
    }
  }

  static GYRE_INLINE void take_sums(const RowBlock& s, int lane, V* sums) {
    of_lanes(s.sums, lane, sums, Of<M>{});
    of_lanes(s.rests, lane, sums + M, Of<M>{});
  }
  static GYRE_TILE void finish(RowBlock& s) noexcept {
    auto row = Base::info(s.attrs, s.length);
    for (int lane = 0; lane < s.rows; lane += W) {
      V p[P + 1], sums[2 * M + 1];
      of_lanes(s.scalars, lane, p, Of<P>{});
      take_sums(s, lane, sums);
      auto k = Base::template finish_at<-1>(row, p, sums);
      static_assert(k.size == K, "finish() returns as many numbers as spec.coefs says");
      for (int j = 0; j < K; ++j) k.e[j].store(s.coefs[j] + lane);
    }
  }

  /// Vectors of one row's numbers.
  struct Row {
    V p[P + 1], c[K + 1];
    Row() = default;
    GYRE_INLINE Row(const RowBlock& s, int row) {
      of_row(s.scalars, row, p, Of<P>{});
      of_row(s.coefs, row, c, Of<K>{});
    }
  };

  template <class T>
  static GYRE_TILE void map(const RowBlock& s, const BlockPiece& a) noexcept {
    if constexpr (O > 0) {
      const int64_t length = a.length;
      const bool past_caches = a.past_caches;
      for (int r = 0; r < s.rows; ++r) {
        const T* in[I];
        T* out[O];
        Row row(s, r);
        find_row(a.in, a.in_step, r, in, Of<I>{});
        find_row(a.out, a.out_step, r, out, Of<O>{});
        for (int64_t i = 0; i < length; i += W) {
          V v[I];
          load_at(in, i, v, Of<I>{});
          auto y = Base::template map_at<-1>(row.c, row.p, v);
          Base::each(
              [&](auto o) GYRE_LAMBDA_INLINE {
                store_row<false>(y.e[o.value], out[o.value] + i, 0, past_caches);
              },
              MakeSequence<O>{});
        }
      }
    }
  }

  template <class T>
  static GYRE_TILE void grad_coefs(RowBlock& s, const BlockPiece& a) noexcept {
    if constexpr (O > 0) {
      sum_rows<K, V>(s, a.length, s.grad_coefs, s.rests, [&](int r) GYRE_LAMBDA_INLINE {
        struct Terms {
          const T *in[I], *g[O];
          Row row;
          GYRE_INLINE Pack<V, K> operator()(int64_t i) const {
            V v[I], w[O];
            load_at(in, i, v, Of<I>{});
            load_at(g, i, w, Of<O>{});
            Pack<V, K> t;
            Base::each(
                [&](auto k) GYRE_LAMBDA_INLINE {
                  t.e[k.value] =
                      weighted<V>(w, Base::template map_at<int(k.value)>(row.c, row.p, v));
                },
                MakeSequence<K>{});
            return t;
          }
        } terms{{}, {}, Row(s, r)};
        find_row(a.in, a.in_step, r, terms.in, Of<I>{});
        find_row(a.grad, a.grad_step, r, terms.g, Of<O>{});
        return terms;
      });
    }
  }

  static GYRE_TILE void grad_finish(RowBlock& s) noexcept {
    auto row = Base::info(s.attrs, s.length);
    for (int lane = 0; lane < s.rows; lane += W) {
      V p[P + 1], sums[2 * M + 1], w[K + 1];
      of_lanes(s.scalars, lane, p, Of<P>{});
      take_sums(s, lane, sums);
      of_lanes(s.grad_coefs, lane, w, Of<K>{});
      Base::each(
          [&](auto m) GYRE_LAMBDA_INLINE {
            auto k = Base::template finish_at<P + int(m.value)>(row, p, sums);
            weighted<V>(w, k).store(s.grad_sums[m.value] + lane);
          },
          MakeSequence<M>{});
      Base::each(
          [&](auto j) GYRE_LAMBDA_INLINE {
            if (!(s.scalars_wanted >> j.value & 1)) return;
            auto k = Base::template finish_at<int(j.value)>(row, p, sums);
            weighted<V>(w, k).store(s.grad_scalars[j.value] + lane);
          },
          MakeSequence<P>{});
    }
  }

  template <class T>
  static GYRE_TILE void grad_map(const RowBlock& s, const BlockPiece& a) noexcept {
    const int64_t length = a.length;
    const bool past_caches = a.past_caches;
    for (int r = 0; r < s.rows; ++r) {
      const T *in[I], *g[O + 1];
      T* out[I];
      V u[M + 1];
      Row row(s, r);
      of_row(s.grad_sums, r, u, Of<M>{});
      find_row(a.in, a.in_step, r, in, Of<I>{});
      find_row(a.grad, a.grad_step, r, g, Of<O>{});
      find_row(a.out, a.out_step, r, out, Of<I>{});
      for (int64_t i = 0; i < length; i += W) {
        V v[I], w[O + 1];
        load_at(in, i, v, Of<I>{});
        load_at(g, i, w, Of<O>{});
        Base::each(
            [&](auto j) GYRE_LAMBDA_INLINE {
              if (!a.out[j.value]) return;
              store_row<false>(
                  Base::template gradient_of_input<int(j.value)>(row.c, row.p, v, w, u),
                  out[j.value] + i, 0, past_caches);
            },
            MakeSequence<I>{});
      }
    }
  }
#if !defined(__CUDACC__)  // which would run reduce() on the host
  template <size_t... j>
  static constexpr bool reduces_scalars(Sequence<j...>) {
    return (
        false || ... ||
        depends(static_cast<const decltype(Base::template reduce_at<int(j)>(
                    static_cast<const V*>(nullptr), static_cast<const V*>(nullptr)))*>(nullptr)));
  }
#endif

  template <class T, bool kTwofold>
  static constexpr BlockPasses passes() {
    return {reduce<T, kTwofold>, map<T>, grad_coefs<T>, grad_map<T>};
  }
  static constexpr BlockTiles tiles() {
#if !defined(__CUDACC__)
    static_assert(!reduces_scalars(MakeSequence<(M > 0 ? P : 0)>{}),
                  "sums of an exact body are of its row inputs");
#endif
    return {passes<float, q.twofold>(), passes<double, true>(), reduce<double, q.twofold>, finish,
            grad_finish};
  }
};

}  // namespace
}  // namespace gyre
