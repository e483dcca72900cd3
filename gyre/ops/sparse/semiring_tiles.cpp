#include "gyre/ops/sparse/semiring_tiles.h"

#include "gyre/kernel/export_tiles.h"
#include "gyre/simd/vec.h"

namespace gyre {
namespace {

/// Which of two numbers wins. The best one so far wins among equals, so that its place is the least
/// and its sign of zero does not depend on whether places are wanted.
struct Least {
  template <class V>
  static GYRE_INLINE auto beats(V x, V best) {
    return x < best;
  }
  template <class V>
  static GYRE_INLINE V of(V x, V best) {
    return V::from(raw_min<typename V::T, V::width>(x.v, best.v));
  }
};
struct Greatest {
  template <class V>
  static GYRE_INLINE auto beats(V x, V best) {
    return x > best;
  }
  template <class V>
  static GYRE_INLINE V of(V x, V best) {
    return V::from(raw_max<typename V::T, V::width>(x.v, best.v));
  }
};

template <class Winner>
struct Plus : Winner {
  template <class V>
  static GYRE_INLINE V combine(V x, V y) {
    return x + y;
  }
};
template <class Winner>
struct Times : Winner {
  template <class V>
  static GYRE_INLINE V combine(V x, V y) {
    return x * y;
  }
};

/// The best of V vectors of W lanes, and where it was found.
template <class S, class T, int V, int W, bool kAny, bool kPlaces>
struct Bests {
  using X = Vec<T, W>;
  using I = typename IntOf<T>::type;
  using At = Vec<I, W>;
  X best[V];
  At at[kPlaces ? V : 1];

  GYRE_INLINE void begin(const T* c) {
#pragma GCC unroll 8
    for (int v = 0; v < V; ++v) best[v] = X::load(c + v * W);
    if constexpr (kPlaces) {
#pragma GCC unroll 8
      for (int v = 0; v < V; ++v) at[v] = At::of(I(-1));
    }
  }
  GYRE_INLINE void take(int v, X x, At here) {
    if constexpr (kAny) {
      const Mask<T, W> better = S::beats(x, best[v]) | ((x != x) & (best[v] == best[v]));
      best[v] = select(better, x, best[v]);
      if constexpr (kPlaces) at[v] = select(Mask<I, W>{better.v}, here, at[v]);
    } else {
      if constexpr (kPlaces) at[v] = select(Mask<I, W>{S::beats(x, best[v]).v}, here, at[v]);
      best[v] = S::of(x, best[v]);
    }
  }
  /// `name(l)`: the place of step l.
  template <class Name>
  GYRE_INLINE void end(T* c, int64_t* place, Name name) const {
#pragma GCC unroll 8
    for (int v = 0; v < V; ++v) best[v].store(c + v * W);
    if constexpr (kPlaces) {
      for (int v = 0; v < V; ++v) {
        I found[W];
        at[v].store(found);
        for (int lane = 0; lane < W; ++lane) {
          if (found[lane] >= 0) place[v * W + lane] = name(found[lane]);
        }
      }
    }
  }
};

/// R rows from row i on, V vectors of W columns from column j on.
template <class S, class T, int R, int V, int W, bool kAny, bool kPlaces>
GYRE_INLINE void micro(const SemiringBlock<T>& g, int64_t i, int64_t j) {
  using B = Bests<S, T, V, W, kAny, kPlaces>;
  using X = typename B::X;
  using At = typename B::At;
  using I = typename B::I;
  B bests[R];
#pragma GCC unroll 8
  for (int r = 0; r < R; ++r) bests[r].begin(g.c + (i + r) * g.c_row + j);
  const int64_t a_row = g.a_row;
  const T *a = g.a + i * a_row, *b = g.b + j;
  At here = At::of(I(0));
  for (int64_t l = 0; l < g.depth; ++l, a += g.a_col, b += g.b_row) {
    X y[V];
#pragma GCC unroll 8
    for (int v = 0; v < V; ++v) y[v] = X::load(b + v * W);
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r) {
      const X x = X::of(a[r * a_row]);
#pragma GCC unroll 8
      for (int v = 0; v < V; ++v) bests[r].take(v, S::combine(x, y[v]), here);
    }
    if constexpr (kPlaces) here = here + At::of(I(1));
  }
  const auto name = [first = g.first](I step) GYRE_LAMBDA_INLINE { return first + step; };
#pragma GCC unroll 8
  for (int r = 0; r < R; ++r) {
    const int64_t to = (i + r) * g.c_row + j;
    bests[r].end(g.c + to, kPlaces ? g.place + to : nullptr, name);
  }
}

/// The columns from j on, which are fewer than 2 W.
template <class S, class T, int R, int W, bool kAny, bool kPlaces>
GYRE_INLINE void last_columns(const SemiringBlock<T>& g, int64_t i, int64_t j) {
  if (j + W <= g.cols) {
    micro<S, T, R, 1, W, kAny, kPlaces>(g, i, j);
    j += W;
  }
  if constexpr (W > 1) last_columns<S, T, R, W / 2, kAny, kPlaces>(g, i, j);
}

// The best so far, their places and one row of b fit into the registers.
#if GYRE_VBYTES == 64
constexpr int kVectors = 4;
#else
constexpr int kVectors = 2;
#endif

template <class S, class T, int R, bool kAny, bool kPlaces>
void some_rows(const SemiringBlock<T>& g, int64_t i) {
  constexpr int W = kWidth<T>;
  int64_t j = 0;
  for (; j + kVectors * W <= g.cols; j += kVectors * W) {
    micro<S, T, R, kVectors, W, kAny, kPlaces>(g, i, j);
  }
  for (; j + W <= g.cols; j += W) micro<S, T, R, 1, W, kAny, kPlaces>(g, i, j);
  if constexpr (W > 1) last_columns<S, T, R, W / 2, kAny, kPlaces>(g, i, j);
}

template <class S, class T, bool kAny, bool kPlaces>
void all_rows(const SemiringBlock<T>& g) {
  constexpr int R = kPlaces ? 2 : 4;
  int64_t i = 0;
  for (; i + R <= g.rows; i += R) some_rows<S, T, R, kAny, kPlaces>(g, i);
  for (; i < g.rows; ++i) some_rows<S, T, 1, kAny, kPlaces>(g, i);
}

template <class S, class T, bool kAny>
void block(const SemiringBlock<T>& g) noexcept {
  if (g.place) {
    all_rows<S, T, kAny, true>(g);
  } else {
    all_rows<S, T, kAny, false>(g);
  }
}

template <class S, class T, int V, int W, bool kPlaces>
GYRE_INLINE void part_of_row(const SemiringRow<T>& r, int64_t j) {
  using B = Bests<S, T, V, W, false, kPlaces>;
  using X = typename B::X;
  using At = typename B::At;
  using I = typename B::I;
  B bests;
  bests.begin(r.c + j);
  const T* b = r.b + j;
  for (int64_t l = 0; l < r.depth; ++l) {
    const T* y = b + r.places[l] * r.b_row;
    const X x = X::of(r.values[l]);
    const At here = At::of(I(kPlaces ? l : 0));
#pragma GCC unroll 8
    for (int v = 0; v < V; ++v) bests.take(v, S::combine(x, X::load(y + v * W)), here);
  }
  bests.end(r.c + j, kPlaces ? r.place + j : nullptr,
            [places = r.places](I step) GYRE_LAMBDA_INLINE { return places[step]; });
}

template <class S, class T, int W, bool kPlaces>
GYRE_INLINE void last_parts(const SemiringRow<T>& r, int64_t j) {
  if (j + W <= r.cols) {
    part_of_row<S, T, 1, W, kPlaces>(r, j);
    j += W;
  }
  if constexpr (W > 1) last_parts<S, T, W / 2, kPlaces>(r, j);
}

template <class S, class T, bool kPlaces>
void whole_row(const SemiringRow<T>& r) {
  constexpr int W = kWidth<T>, kMany = 4;
  int64_t j = 0;
  for (; j + kMany * W <= r.cols; j += kMany * W) part_of_row<S, T, kMany, W, kPlaces>(r, j);
  for (; j + W <= r.cols; j += W) part_of_row<S, T, 1, W, kPlaces>(r, j);
  if constexpr (W > 1) last_parts<S, T, W / 2, kPlaces>(r, j);
}

template <class S, class T>
void sparse_row(const SemiringRow<T>& r) noexcept {
  if (r.place) {
    whole_row<S, T, true>(r);
  } else {
    whole_row<S, T, false>(r);
  }
}

/// One edge, in columns [j, cols).
template <class S, class T, int W>
GYRE_INLINE bool push_edge(const SemiringPush<T>& p, T value, T* to, int64_t j) {
  using X = Vec<T, W>;
  Mask<T, W> better = X::of(T(0)) != X::of(T(0));
  for (; j + W <= p.cols; j += W) {
    const X old = X::load(to + j), x = S::combine(X::of(value), X::load(p.from + j));
    better = better | S::beats(x, old);
    S::of(x, old).store(to + j);
  }
  bool is_better = any(better);
  if constexpr (W > 1) {
    if (j < p.cols) is_better |= push_edge<S, T, W / 2>(p, value, to, j);
  }
  return is_better;
}

template <class S, class T>
void push(const SemiringPush<T>& p) noexcept {
  for (int64_t e = 0; e < p.count; ++e) {
    T* to = p.c + p.rows[e] * p.c_row;
    if (push_edge<S, T, kWidth<T>>(p, p.values[e], to, 0)) p.changed[p.rows[e]] = 1;
  }
}

/// Lanes where a mask is set, added to counts.
template <class T>
struct Counter {
  using I = typename IntOf<T>::type;
  Vec<I> lanes = Vec<I>::of(I(0));
  GYRE_INLINE void add(Mask<T> m) { lanes = lanes - Vec<I>::from(m.v); }
  GYRE_INLINE int64_t total() const {
    int64_t sum = 0;
    for (int i = 0; i < kWidth<T>; ++i) sum += lanes[i];
    return sum;
  }
};

template <class T>
void count(const T* x, int64_t n, Specials& found) noexcept {
  constexpr int W = kWidth<T>;
  constexpr T kInfinity = T(__builtin_inf());
  Counter<T> nan, positive, negative, zero;
  int64_t i = 0;
  for (; i + W <= n; i += W) {
    const Vec<T> v = Vec<T>::load(x + i);
    nan.add(v != v);
    positive.add(v == Vec<T>::of(kInfinity));
    negative.add(v == Vec<T>::of(-kInfinity));
    zero.add(v == Vec<T>::of(T(0)));
  }
  found.nan += nan.total();
  found.positive += positive.total();
  found.negative += negative.total();
  found.zero += zero.total();
  for (; i < n; ++i) {
    found.nan += x[i] != x[i];
    found.positive += x[i] == kInfinity;
    found.negative += x[i] == -kInfinity;
    found.zero += x[i] == T(0);
  }
}

template <class T, bool kAny>
constexpr auto block_of(int semiring) {
  constexpr void (*kBlocks[])(const SemiringBlock<T>&) noexcept = {
      block<Plus<Least>, T, kAny>, block<Plus<Greatest>, T, kAny>, block<Times<Least>, T, kAny>,
      block<Times<Greatest>, T, kAny>};
  return kBlocks[semiring];
}

template <class T>
constexpr SemiringTiles<T> tiles() {
  SemiringTiles<T> t{};
  for (int s = 0; s < 4; ++s) {
    t.finite[s] = block_of<T, false>(s);
    t.any[s] = block_of<T, true>(s);
  }
  t.row[0] = sparse_row<Plus<Least>, T>;
  t.row[1] = sparse_row<Plus<Greatest>, T>;
  t.push[0] = push<Plus<Least>, T>;
  t.push[1] = push<Plus<Greatest>, T>;
  t.count = count<T>;
  return t;
}

}  // namespace

GYRE_EXPORT_TILES(AllSemiringTiles, semiring){tiles<float>(), tiles<double>()};

}  // namespace gyre
