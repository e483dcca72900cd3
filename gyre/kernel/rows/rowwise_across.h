#pragma once
// Included by rowwise_tile.h: rows in parallel, one per SIMD lane, for short rows and for axes
// other than the last.

namespace gyre {
namespace {

/// Operands of many rows; a copy that no store can alias.
template <class E, int N>
struct ManyOperands {
  E* at[N + 1];
  int64_t stride[N + 1];
  GYRE_INLINE ManyOperands(E* const* p, const int64_t* strides) {
    for (int k = 0; k < N; ++k) {
      at[k] = p[k];
      stride[k] = strides[k];
    }
  }
  GYRE_INLINE E* operator()(int k, int64_t far, int64_t near) const {
    return at[k] + far * stride[k] + near;
  }
};

template <class B, class T>
struct RowLanes : RowTile<B, T> {
  using Base = RowTile<B, T>;
  using Base::A, Base::I, Base::K, Base::M, Base::O, Base::P, Base::R, Base::W, Base::X, Base::q;
  using V = typename Base::V;
  using Sum = typename Base::Sum;
  using Wide = Vec<double>;
  static constexpr int L = kWidth<T>;  // as many as Sum and Wide have or a multiple
  using Args = RowsArgs<T>;
  using In = ManyOperands<const T, I>;
  using Grads = ManyOperands<const T, O>;
  using Out = ManyOperands<T, O>;

  struct Numbers {
    double scalars[P + 1][L], sums[M + 1][L], coefs[K + 1][L];
  };

  /// step(lane) for the first lanes of vectors of `width`.
  template <int width, class F>
  static GYRE_INLINE void over_lanes(F step) {
    for (int lane = 0; lane < L; lane += width) step(lane);
  }
  template <class U, int N>
  static GYRE_INLINE void take(const double (*from)[L], int lane, U* to) {
    Base::each([&](auto j)
                   GYRE_LAMBDA_INLINE { to[j.value] = from_doubles<U>(from[j.value] + lane); },
               MakeSequence<N>{});
  }
  template <class U>
  static GYRE_INLINE void at(const In& in, int64_t i, int lane, U* v) {
    Base::each(
        [&](auto j)
            GYRE_LAMBDA_INLINE { v[j.value] = load_row<false, U>(in(int(j.value), i, lane), 0); },
        MakeSequence<I>{});
    if constexpr (q.indexed) v[I] = U(double(i));
  }

  static GYRE_INLINE void find_anchor(const Args& a, const In& in, Numbers& s) {
    if constexpr (q.by_first) {
      for (int l = 0; l < L; ++l) s.scalars[0][l] = double(in.at[0][l]);
    } else if constexpr (A) {
      V m(-__builtin_inf()), v[X];
      for (int64_t i = 0; i < a.length; ++i) {
        at<V>(in, i, 0, v);
        m = max(m, Base::call_anchor(v, MakeSequence<X>{}));
      }
      to_doubles(m, s.scalars[0]);
    }
  }

  // Sums of one vector of lanes over positions begin .. end.
  static GYRE_INLINE void sum_piece(const In& in, const Numbers& s, int lane, int64_t begin,
                                    int64_t end, Sum* t) {
    Sum p[P + 1], v[X];
    take<Sum, P>(s.scalars, lane, p);
    for (int m = 0; m < M; ++m) t[m] = Sum(0.0);
    for (; begin < end; ++begin) {
      at<Sum>(in, begin, lane, v);
      auto r = Base::template reduce_at<-1>(p, v);
      for (int m = 0; m < M; ++m) t[m] = t[m] + r.e[m];
    }
  }
  static GYRE_INLINE void sum_lanes(const Args& a, const In& in, Numbers& s, int lane) {
    Sum t[M];
    if constexpr (sizeof(typename Sum::T) == 8) {
      sum_piece(in, s, lane, 0, a.length, t);
      for (int m = 0; m < M; ++m) t[m].store(s.sums[m] + lane);
    } else {  // widen to f64 before digits are lost
      constexpr int64_t kPiece = 64;
      double part[Sum::width];
      for (int m = 0; m < M; ++m) to_doubles(Sum(0.0), s.sums[m] + lane);
      for (int64_t i = 0; i < a.length; i += kPiece) {
        sum_piece(in, s, lane, i, a.length - i < kPiece ? a.length : i + kPiece, t);
        for (int m = 0; m < M; ++m) {
          to_doubles(t[m], part);
          for (int l = 0; l < Sum::width; ++l) s.sums[m][lane + l] += part[l];
        }
      }
    }
  }

  static GYRE_INLINE void find_sums(const Args& a, const In& in, Numbers& s) {
    if constexpr (M > 0) {
      over_lanes<Sum::width>([&](int lane) GYRE_LAMBDA_INLINE { sum_lanes(a, in, s, lane); });
    }
  }
  static GYRE_INLINE void find_coefs(const Args& a, Numbers& s) {
    auto row = Base::info(a.attrs, double(a.length));
    over_lanes<Wide::width>([&](int lane) GYRE_LAMBDA_INLINE {
      Wide p[P + 1], sums[M + 1];
      take<Wide, P>(s.scalars, lane, p);
      take<Wide, M>(s.sums, lane, sums);
      auto k = Base::template finish_at<-1>(row, p, sums);
      for (int j = 0; j < K; ++j) k.e[j].store(s.coefs[j] + lane);
    });
  }

  static GYRE_INLINE void read_scalars(const Args& a, Numbers& s) {
    Base::each([&](auto j)
                   GYRE_LAMBDA_INLINE { write(s.scalars[A + j.value], a.scalars[j.value]); },
               MakeSequence<q.scalars>{});
  }
  static GYRE_INLINE void write(double* to, const double* from) {
    if (to) __builtin_memcpy(to, from, L * sizeof(double));
  }

  static GYRE_TILE void forward(const Args& a) noexcept {
    Numbers s;
    In in(a.in, a.in_stride);
    read_scalars(a, s);
    find_anchor(a, in, s);
    find_sums(a, in, s);
    find_coefs(a, s);
    for (int j = 0; j < R; ++j) write(a.scalars_out[j], s.coefs[j]);
    if constexpr (A) write(a.scalars_out[R], s.scalars[0]);
    for (int m = 0; m < M; ++m) write(a.scalars_out[R + A + m], s.sums[m]);
    if constexpr (O > 0) {
      Out out(a.out, a.out_stride);
      over_lanes<W>([&](int lane) GYRE_LAMBDA_INLINE {
        V c[K + 1], p[P + 1], v[X];
        take<V, K>(s.coefs, lane, c);
        take<V, P>(s.scalars, lane, p);
        for (int64_t i = 0; i < a.length; ++i) {
          at<V>(in, i, lane, v);
          auto r = Base::template map_at<-1>(c, p, v);
          for (int o = 0; o < O; ++o) store_row<false>(r.e[o], out(o, i, lane), 0, false);
        }
      });
    }
  }

  static GYRE_INLINE void gradients_at(const Grads& g, int64_t i, int lane, V* w) {
    Base::each(
        [&](auto o)
            GYRE_LAMBDA_INLINE { w[o.value] = load_row<false, V>(g(int(o.value), i, lane), 0); },
        MakeSequence<O>{});
  }

  static GYRE_INLINE void find_grad_coefs(const Args& a, const In& in, const Grads& g,
                                          const Numbers& s, double (*gk)[L]) {
    if constexpr (O > 0) {
      over_lanes<W>([&](int lane) GYRE_LAMBDA_INLINE {
        V c[K + 1], p[P + 1], v[X], w[O + 1], t[K + 1];
        take<V, K>(s.coefs, lane, c);
        take<V, P>(s.scalars, lane, p);
        for (int k = 0; k < K; ++k) t[k] = V(0.0);
        for (int64_t i = 0; i < a.length; ++i) {
          at<V>(in, i, lane, v);
          gradients_at(g, i, lane, w);
          Base::each(
              [&](auto k) GYRE_LAMBDA_INLINE {
                t[k.value] =
                    t[k.value] + weighted<V>(w, Base::template map_at<int(k.value)>(c, p, v));
              },
              MakeSequence<K>{});
        }
        for (int k = 0; k < K; ++k) to_doubles(t[k], gk[k] + lane);
      });
    } else {
      __builtin_memset(gk, 0, K * L * sizeof(double));
    }
    for (int k = 0; k < R; ++k) {
      for (int l = 0; l < L; ++l) gk[k][l] += a.grad_scalars[k][l];
    }
  }

  static GYRE_INLINE void through_finish(const Args& a, const Numbers& s, const double (*gk)[L],
                                         double (*gsum)[L], double (*gs)[L]) {
    auto row = Base::info(a.attrs, double(a.length));
    over_lanes<Wide::width>([&](int lane) GYRE_LAMBDA_INLINE {
      Wide p[P + 1], sums[M + 1], w[K + 1];
      take<Wide, P>(s.scalars, lane, p);
      take<Wide, M>(s.sums, lane, sums);
      take<Wide, K>(gk, lane, w);
      Base::each(
          [&](auto m) GYRE_LAMBDA_INLINE {
            auto r = Base::template finish_at<P + int(m.value)>(row, p, sums);
            weighted<Wide>(w, r).store(gsum[m.value] + lane);
          },
          MakeSequence<M>{});
      Base::each(
          [&](auto j) GYRE_LAMBDA_INLINE {
            if (!a.scalars_out[j.value]) return;
            auto r = Base::template finish_at<A + int(j.value)>(row, p, sums);
            weighted<Wide>(w, r).store(gs[j.value] + lane);
          },
          MakeSequence<q.scalars>{});
    });
  }

  static GYRE_TILE void gradient(const Args& a) noexcept {
    Numbers s;
    double gk[K + 1][L], gsum[M + 1][L], gs[q.scalars + 1][L];
    In in(a.in, a.in_stride);
    Grads g(a.grad, a.grad_stride);
    read_scalars(a, s);
    if constexpr (A) write(s.scalars[0], a.hidden[0]);
    for (int m = 0; m < M; ++m) write(s.sums[m], a.hidden[A + m]);
    if constexpr (O > 0) find_coefs(a, s);
    find_grad_coefs(a, in, g, s, gk);
    through_finish(a, s, gk, gsum, gs);
    ManyOperands<T, I> out(a.out, a.out_stride);
    over_lanes<W>([&](int lane) GYRE_LAMBDA_INLINE {
      V c[K + 1], p[P + 1], u[M + 1], v[X], w[O + 1], t[q.scalars + 1];
      if constexpr (O > 0) take<V, K>(s.coefs, lane, c);
      take<V, P>(s.scalars, lane, p);
      take<V, M>(gsum, lane, u);
      for (int j = 0; j < q.scalars; ++j) t[j] = V(0.0);
      for (int64_t i = 0; i < a.length; ++i) {
        at<V>(in, i, lane, v);
        gradients_at(g, i, lane, w);
        Base::each(
            [&](auto j) GYRE_LAMBDA_INLINE {
              if (!out.at[j.value]) return;
              store_row<false>(Base::template gradient_of_input<int(j.value)>(c, p, v, w, u),
                               out(int(j.value), i, lane), 0, false);
            },
            MakeSequence<I>{});
        Base::each(
            [&](auto j) GYRE_LAMBDA_INLINE {
              t[j.value] = t[j.value] + Base::template gradient_of_scalar<int(j.value)>(p, v, u);
            },
            MakeSequence<q.scalars>{});
      }
      double part[W];
      for (int j = 0; j < q.scalars; ++j) {
        if (!a.scalars_out[j]) continue;
        to_doubles(t[j], part);
        for (int l = 0; l < W; ++l) a.scalars_out[j][lane + l] = gs[j][lane + l] + part[l];
      }
    });
  }
};

}  // namespace
}  // namespace gyre
