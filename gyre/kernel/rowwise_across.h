#pragma once
// Included by rowwise_tile.h: rows side by side, one a lane, for short rows and for axes that are
// not the last.

namespace gyre {
namespace {

template <class B, class T>
struct RowLanes : RowTile<B, T> {
  using Base = RowTile<B, T>;
  using Base::A, Base::I, Base::K, Base::M, Base::O, Base::P, Base::R, Base::W, Base::X, Base::q;
  using V = typename Base::V;
  using Wide = Vec<double>;
  static constexpr int H = Wide::width;  // lanes that finish() takes at a time; divides W
  using Args = AcrossArgs<T>;

  struct Numbers {
    double scalars[P + 1][W], sums[2 * M + 1][W], coefs[K + 1][W];  // sums: then their rests
  };

  template <class U, int N>
  static GYRE_INLINE void lanes(const double (*from)[W], int first, U* to) {
    for (int j = 0; j < N; ++j) {
      typename U::T part[U::width];
      for (int l = 0; l < U::width; ++l) part[l] = typename U::T(from[j][first + l]);
      to[j] = U::load(part);
    }
  }
  template <class U>
  static GYRE_INLINE void at(const Args& a, int64_t i, int first, U* v) {
    Base::each(
        [&](auto j) GYRE_LAMBDA_INLINE {
          v[j.value] = load_row<false, U>(a.in[j.value] + i * a.in_stride[j.value] + first, 0);
        },
        MakeSequence<I>{});
    if constexpr (q.indexed) v[I] = U(double(i));
  }

  static GYRE_INLINE void find_anchor(const Args& a, Numbers& s) {
    if constexpr (q.by_first) {
      for (int l = 0; l < W; ++l) s.scalars[0][l] = double(a.in[0][l]);
    } else if constexpr (A) {
      V m(-__builtin_inf()), v[X];
      for (int64_t i = 0; i < a.length; ++i) {
        at<V>(a, i, 0, v);
        m = max(m, Base::call_anchor(v, MakeSequence<X>{}));
      }
      for (int l = 0; l < W; ++l) s.scalars[0][l] = double(m[l]);
    }
  }

  // Sums of one vector of lanes with what rounding took from them.
  static GYRE_INLINE void sum_lanes_twofold(const Args& a, Numbers& s) {
    using Exact = Word<V>;
    Exact p[P + 1], x[X];
    V numbers[P + 1], v[X];
    lanes<V, P>(s.scalars, 0, numbers);
    for (int j = 0; j < P; ++j) p[j] = numbers[j];
    Two<V> t[M];
    for (Two<V>& one : t) one = {V(0.0), V(0.0)};
    for (int64_t i = 0; i < a.length; ++i) {
      at<V>(a, i, 0, v);
      for (int k = 0; k < X; ++k) x[k] = v[k];
      auto r = Base::template reduce_at<-1>(p, x);
      for (int m = 0; m < M; ++m) t[m] = gathered(t[m], r.e[m]);
    }
    for (int m = 0; m < M; ++m) {
      Two<V> total = fast_two_sum(t[m].hi, t[m].lo);
      total.hi.store(s.sums[m]);
      total.lo.store(s.sums[M + m]);
    }
  }

  // Sums of one vector of lanes; f32 sums move to f64 before they lose digits.
  static GYRE_INLINE void sum_lanes(const Args& a, Numbers& s, int first) {
    using Sum = typename Base::Sum;
    constexpr int64_t kPiece = 64;
    Sum p[P + 1], v[X], t[M + 1];
    lanes<Sum, P>(s.scalars, first, p);
    for (int m = 0; m < M; ++m) {
      for (int l = 0; l < Sum::width; ++l) s.sums[m][first + l] = 0;
    }
    for (int64_t i = 0; i < a.length; i += kPiece) {
      int64_t end = a.length - i < kPiece ? a.length : i + kPiece;
      for (int m = 0; m < M; ++m) t[m] = Sum(0.0);
      for (int64_t j = i; j < end; ++j) {
        at<Sum>(a, j, first, v);
        auto r = Base::template reduce_at<-1>(p, v);
        for (int m = 0; m < M; ++m) t[m] = t[m] + r.e[m];
      }
      for (int m = 0; m < M; ++m) {
        for (int l = 0; l < Sum::width; ++l) s.sums[m][first + l] += double(t[m][l]);
      }
    }
  }

  static GYRE_INLINE void find_sums(const Args& a, Numbers& s) {
    if constexpr (Base::kTwofold) {
      sum_lanes_twofold(a, s);
    } else if constexpr (M > 0) {
      for (int first = 0; first < W; first += Base::Sum::width) sum_lanes(a, s, first);
      if constexpr (q.exact) {
        for (int m = M; m < 2 * M; ++m) {
          for (int l = 0; l < W; ++l) s.sums[m][l] = 0;
        }
      }
    }
  }
  static constexpr int kSums = q.exact ? 2 * M : M;

  static GYRE_INLINE void find_coefs(const Args& a, Numbers& s) {
    auto row = Base::info(a.attrs, double(a.length));
    for (int first = 0; first < W; first += H) {
      Wide p[P + 1], sums[kSums + 1];
      lanes<Wide, P>(s.scalars, first, p);
      lanes<Wide, kSums>(s.sums, first, sums);
      auto k = Base::template finish_at<-1>(row, p, sums);
      for (int j = 0; j < K; ++j) k.e[j].store(s.coefs[j] + first);
    }
  }

  static GYRE_INLINE void read_scalars(const Args& a, Numbers& s) {
    for (int j = A; j < P; ++j) {
      for (int l = 0; l < W; ++l) s.scalars[j][l] = a.scalars[j - A][l];
    }
  }
  static GYRE_INLINE void write(double* to, const double* from) {
    if (!to) return;
    for (int l = 0; l < W; ++l) to[l] = from[l];
  }

  static void forward(const Args& a) noexcept {
    Numbers s;
    read_scalars(a, s);
    find_anchor(a, s);
    find_sums(a, s);
    find_coefs(a, s);
    for (int j = 0; j < R; ++j) write(a.scalars_out[j], s.coefs[j]);
    if constexpr (A) write(a.scalars_out[R], s.scalars[0]);
    for (int m = 0; m < q.hidden() - A; ++m) write(a.scalars_out[R + A + m], s.sums[m]);
    if constexpr (O > 0) {
      V c[K + 1], p[P + 1], v[X];
      lanes<V, K>(s.coefs, 0, c);
      lanes<V, P>(s.scalars, 0, p);
      for (int64_t i = 0; i < a.length; ++i) {
        at<V>(a, i, 0, v);
        auto r = Base::template map_at<-1>(c, p, v);
        for (int o = 0; o < O; ++o) {
          store_row<false>(r.e[o], a.out[o] + i * a.out_stride[o], 0, false);
        }
      }
    }
  }

  static GYRE_INLINE void gradients_at(const Args& a, int64_t i, V* w) {
    for (int o = 0; o < O; ++o) {
      w[o] = load_row<false, V>(a.grad[o] + i * a.grad_stride[o], 0);
    }
  }

  static GYRE_INLINE void find_grad_coefs(const Args& a, const V* c, const V* p, double (*gk)[W]) {
    V v[X], w[O + 1], t[K + 1];
    for (int k = 0; k < K; ++k) t[k] = V(0.0);
    for (int64_t i = 0; i < a.length && O > 0; ++i) {
      at<V>(a, i, 0, v);
      gradients_at(a, i, w);
      Base::each(
          [&](auto k) GYRE_LAMBDA_INLINE {
            t[k.value] = t[k.value] + Base::template weighted<V>(
                                          w, Base::template map_at<int(k.value)>(c, p, v));
          },
          MakeSequence<(O > 0 ? K : 0)>{});
    }
    for (int k = 0; k < K; ++k) {
      for (int l = 0; l < W; ++l) {
        gk[k][l] = double(t[k][l]) + (k < R ? a.grad_scalars[k][l] : 0.0);
      }
    }
  }

  static GYRE_INLINE void through_finish(const Args& a, const Numbers& s, const double (*gk)[W],
                                         double (*gsum)[W], double (*gs)[W]) {
    auto row = Base::info(a.attrs, double(a.length));
    for (int first = 0; first < W; first += H) {
      Wide p[P + 1], sums[kSums + 1], w[K + 1];
      lanes<Wide, P>(s.scalars, first, p);
      lanes<Wide, kSums>(s.sums, first, sums);
      lanes<Wide, K>(gk, first, w);
      Base::each(
          [&](auto m) GYRE_LAMBDA_INLINE {
            auto r = Base::template finish_at<P + int(m.value)>(row, p, sums);
            Base::template weighted<Wide>(w, r).store(gsum[m.value] + first);
          },
          MakeSequence<M>{});
      Base::each(
          [&](auto j) GYRE_LAMBDA_INLINE {
            auto r = Base::template finish_at<A + int(j.value)>(row, p, sums);
            Base::template weighted<Wide>(w, r).store(gs[j.value] + first);
          },
          MakeSequence<q.scalars>{});
    }
  }

  static void gradient(const Args& a) noexcept {
    Numbers s;
    double gk[K + 1][W], gsum[M + 1][W], gs[q.scalars + 1][W];
    read_scalars(a, s);
    if constexpr (A) write(s.scalars[0], a.hidden[0]);
    if constexpr (q.exact) find_sums(a, s);
    for (int m = 0; m < q.hidden() - A; ++m) write(s.sums[m], a.hidden[A + m]);
    find_coefs(a, s);
    V c[K + 1], p[P + 1], u[M + 1], v[X], w[O + 1], t[q.scalars + 1];
    lanes<V, K>(s.coefs, 0, c);
    lanes<V, P>(s.scalars, 0, p);
    find_grad_coefs(a, c, p, gk);
    through_finish(a, s, gk, gsum, gs);
    lanes<V, M>(gsum, 0, u);
    for (int j = 0; j < q.scalars; ++j) t[j] = V(0.0);
    for (int64_t i = 0; i < a.length; ++i) {
      at<V>(a, i, 0, v);
      gradients_at(a, i, w);
      Base::each(
          [&](auto j) GYRE_LAMBDA_INLINE {
            if (!a.out[j.value]) return;
            store_row<false>(Base::template gradient_of_input<int(j.value)>(c, p, v, w, u),
                             a.out[j.value] + i * a.out_stride[j.value], 0, false);
          },
          MakeSequence<I>{});
      Base::each(
          [&](auto j) GYRE_LAMBDA_INLINE {
            t[j.value] = t[j.value] + Base::template gradient_of_scalar<int(j.value)>(p, v, u);
          },
          MakeSequence<q.scalars>{});
    }
    for (int j = 0; j < q.scalars; ++j) {
      for (int l = 0; l < W; ++l) gs[j][l] += double(t[j][l]);
      write(a.scalars_out[j], gs[j]);
    }
  }
};

template <class B, class T>
constexpr RowStages<T> row_stages() {
  using R = RowTile<B, T>;
  return {R::anchor, R::reduce, R::finish, R::map, R::grad_coefs, R::grad_finish, R::grad_map};
}

template <class B>
constexpr RowwiseTiles rowwise_tiles() {
  return {row_stages<B, float>(),
          row_stages<B, double>(),
          {RowTile<B, float>::W, RowLanes<B, float>::forward, RowLanes<B, float>::gradient},
          {RowTile<B, double>::W, RowLanes<B, double>::forward, RowLanes<B, double>::gradient}};
}

}  // namespace
}  // namespace gyre
