#include "gyre/ops/linalg/gemm_tiles.h"

#include "gyre/kernel/export_tiles.h"
#include "gyre/simd/convert16.h"

namespace gyre {
namespace {

// The register tile: accumulators, one row of B and a broadcast of A fit into the registers.
#if GYRE_VBYTES == 64
constexpr int kRows = 8, kVectors = 3, kDotRows = 4, kDotCols = 6;
#elif GYRE_VBYTES == 32
constexpr int kRows = 6, kVectors = 2, kDotRows = 3, kDotCols = 4;
#else
constexpr int kRows = 4, kVectors = 2, kDotRows = 2, kDotCols = 4;
#endif

// Columns of a product of one row, whose sums over lanes are added together: short columns spend a
// third of their time there otherwise.
constexpr int kRowCols = GYRE_VBYTES == 64 ? 16 : 8;

template <class T>
constexpr int kCols = kVectors * kWidth<T>;
constexpr int least_common_multiple(int a, int b) {
  int multiple = a;
  while (multiple % b != 0) multiple += a;
  return multiple;
}
// Rows of a group of A: whole vectors and whole register tiles.
template <class T>
constexpr int kGroup = least_common_multiple(kRows, kWidth<T>);
constexpr int kPackAhead = 8;  // rows

/// Indices of lanes as template arguments, for shuffles.
template <int... I>
struct Lanes {};
template <int N, int... I>
struct LanesUpTo : LanesUpTo<N - 1, N - 1, I...> {};
template <int... I>
struct LanesUpTo<0, I...> {
  using type = Lanes<I...>;
};
template <int N>
using FirstLanes = typename LanesUpTo<N>::type;

template <class T>
GYRE_INLINE Vec<T> load_some(const T* p, int64_t count) {
  T lanes[kWidth<T>] = {};
  for (int64_t i = 0; i < count; ++i) lanes[i] = p[i];
  return Vec<T>::load(lanes);
}

template <class T>
GYRE_INLINE void store_some(Vec<T> x, T* p, int64_t count) {
  T lanes[kWidth<T>];
  x.store(lanes);
  for (int64_t i = 0; i < count; ++i) p[i] = lanes[i];
}

/// Adds sums, `stride` to a row, into C with bias and tails. Out of line, so that the register tile
/// stays in registers.
template <class T>
__attribute__((noinline)) void finish(const T* sums, int64_t stride, T* c, int64_t c_row,
                                      const T* bias, bool accumulate, int64_t rows, int64_t cols) {
  constexpr int W = kWidth<T>;
  for (int64_t i = 0; i < rows; ++i, sums += stride, c += c_row) {
    int64_t j = 0;
    for (; j + W <= cols; j += W) {
      Vec<T> x = Vec<T>::load(sums + j);
      if (bias) x = x + Vec<T>::load(bias + j);
      if (accumulate) x = x + Vec<T>::load(c + j);
      x.store(c + j);
    }
    for (; j < cols; ++j) {
      T x = sums[j];
      if (bias) x += bias[j];
      c[j] = accumulate ? x + c[j] : x;
    }
  }
}

/// One step of the sums: a product of elements.
struct Product {
  template <class V>
  static GYRE_INLINE V add(V x, V y, V sum) {
    return fma(x, y, sum);
  }
};

#if GYRE_VBYTES == 64 && defined(__x86_64__)
/// A product of pairs of bf16. In assembler, because v4 code may contain the instruction and still
/// run where it is missing: the driver asks the CPU.
struct PairProduct {
  static GYRE_INLINE Vec<float> add(Vec<float> x, Vec<float> y, Vec<float> sum) {
    asm("vdpbf16ps %2, %1, %0" : "+v"(sum.v) : "v"(x.v), "v"(y.v));
    return sum;
  }
};
#endif

/// The compiler would compute `p` from other pointers, and run out of registers: what it stores in
/// a loop delays loads whose addresses are equal in the low 12 bits.
template <class T>
GYRE_INLINE void keep_in_register(const T*& p) {
  asm("" : "+r"(p));
}

/// R rows by V vectors of C; `cols` is at most V vectors and more than V - 1. With Ahead, it
/// fetches a later row of B at each step along the depth: a fifth of all loads.
template <class T, class P, int R, int V, bool Ahead>
void micro(const GemmBlock<T>& g, const T* a, const T* b, T* c, const T* bias, int64_t cols,
           const T* ahead, int64_t ahead_row, int64_t ahead_col) {
  constexpr int W = kWidth<T>;
  Vec<T> sum[R][V];
#pragma GCC unroll 16
  for (int i = 0; i < R; ++i) {
#pragma GCC unroll 4
    for (int j = 0; j < V; ++j) sum[i][j] = Vec<T>::of(T(0));
  }
  // C is wanted when the sums are done.
#pragma GCC unroll 16
  for (int i = 0; i < R; ++i) {
    for (int j = 0; j < V; ++j) __builtin_prefetch(c + i * g.c_row + j * W, 1);
  }
  const int64_t a_row = g.a_row, a_col = g.a_col, b_row = g.b_row;
  const T* upper = a + 4 * a_row;
  for (int64_t k = g.depth; k > 0; --k) {
    keep_in_register(upper);
    if constexpr (Ahead) {
#pragma GCC unroll 4
      for (int j = 0; j < V; ++j) __builtin_prefetch(ahead + j * ahead_col, 0, 2);
      ahead += ahead_row;
    }
    Vec<T> row[V];
#pragma GCC unroll 4
    for (int j = 0; j < V; ++j) row[j] = Vec<T>::load(b + j * W);
#pragma GCC unroll 16
    for (int i = 0; i < R; ++i) {
      const Vec<T> x = Vec<T>::of((i < 4 ? a : upper)[i % 4 * a_row]);
#pragma GCC unroll 4
      for (int j = 0; j < V; ++j) sum[i][j] = P::add(x, row[j], sum[i][j]);
    }
    a += a_col;
    upper += a_col;
    b += b_row;
  }
  if (cols == V * W && !bias) {
    const bool accumulate = g.accumulate;
#pragma GCC unroll 16
    for (int i = 0; i < R; ++i, c += g.c_row) {
#pragma GCC unroll 4
      for (int j = 0; j < V; ++j) {
        if (accumulate) sum[i][j] = sum[i][j] + Vec<T>::load(c + j * W);
        sum[i][j].store(c + j * W);
      }
    }
    return;
  }
  T sums[R * V * W];
#pragma GCC unroll 16
  for (int i = 0; i < R; ++i) {
#pragma GCC unroll 4
    for (int j = 0; j < V; ++j) sum[i][j].store(sums + (i * V + j) * W);
  }
  finish(sums, V * W, c, g.c_row, bias, g.accumulate, R, cols);
}

template <class T>
using Micro = void (*)(const GemmBlock<T>&, const T*, const T*, T*, const T*, int64_t, const T*,
                       int64_t, int64_t);

template <class T, class P>
struct MicroTable {
  Micro<T> of[kRows][kVectors] = {};
  Micro<T> ahead[kRows] = {};  ///< of all vectors
  constexpr MicroTable() { fill<kRows, kVectors>(); }

 private:
  template <int R, int V>
  constexpr void fill() {
    of[R - 1][V - 1] = micro<T, P, R, V, false>;
    if constexpr (V == kVectors) ahead[R - 1] = micro<T, P, R, V, true>;
    if constexpr (V > 1) {
      fill<R, V - 1>();
    } else if constexpr (R > 1) {
      fill<R - 1, kVectors>();
    }
  }
};
template <class T, class P>
constexpr MicroTable<T, P> kMicro;

template <class T, class P = Product>
void block(const GemmBlock<T>& g) noexcept {
  constexpr int W = kWidth<T>, N = kCols<T>;
  const bool lone = g.rows < kVectors * kRows;
  const auto tile = [&](int64_t i, int64_t j) __attribute__((always_inline)) {
    const int64_t rows = g.rows - i < kRows ? g.rows - i : kRows;
    const int64_t cols = g.cols - j < N ? g.cols - j : N;
    if (j + cols <= i + g.diagonal) return;
    // The first tiles of a panel fetch a vector each of every row of what comes next, a lone tile
    // all of them.
    const int64_t line = lone ? 0 : i / kRows * W;
    const int64_t vectors = (cols + W - 1) / W;
    const bool fetch = g.ahead && line < cols && vectors == kVectors;
    const Micro<T> multiply =
        fetch ? kMicro<T, P>.ahead[rows - 1] : kMicro<T, P>.of[rows - 1][vectors - 1];
    multiply(g, g.a + i / kGroup<T> * g.a_group + i % kGroup<T> * g.a_row, g.b + j / N * g.b_panel,
             g.c + i * g.c_row + j, g.bias ? g.bias + j : nullptr, cols,
             fetch ? g.ahead + j + line : nullptr, g.ahead_row, lone ? W : 0);
  };
  if (g.by_rows) {
    for (int64_t i = 0; i < g.rows; i += kRows) {
      for (int64_t j = 0; j < g.cols; j += N) tile(i, j);
    }
  } else {
    for (int64_t j = 0; j < g.cols; j += N) {
      for (int64_t i = 0; i < g.rows; i += kRows) tile(i, j);
    }
  }
}

template <class T>
void tiny(const TinyProduct<T>& g) noexcept {
  for (int64_t i = 0; i < g.rows; ++i) {
    for (int64_t j = 0; j < g.cols; ++j) {
      const T *a = g.a + i * g.a_row, *b = g.b + j * g.b_col;
      using One = Vec<T, 1>;
      One sum = One::of(T(0));
      for (int64_t k = g.depth; k > 0; --k, a += g.a_col, b += g.b_row) {
        sum = Product::add(One::of(*a), One::of(*b), sum);
      }
      sum.store(g.c + i * g.c_row + j);
    }
  }
}

/// V vectors of y, K rows of B.
template <class T, int K>
GYRE_INLINE void add_rows(const RowTimesMatrix<T>& g, int64_t k) {
  constexpr int W = kWidth<T>;
  const T* b = g.b + k * g.b_row;
  Vec<T> x[K];
#pragma GCC unroll 8
  for (int i = 0; i < K; ++i) x[i] = Vec<T>::of(g.x[(k + i) * g.x_stride]);
  int64_t j = 0;
  for (; j + W <= g.cols; j += W) {
    Vec<T> sum = Vec<T>::load(g.y + j);
#pragma GCC unroll 8
    for (int i = 0; i < K; ++i) sum = fma(x[i], Vec<T>::load(b + i * g.b_row + j), sum);
    sum.store(g.y + j);
  }
  const int64_t rest = g.cols - j;
  if (rest > 0) {
    Vec<T> sum = load_some(g.y + j, rest);
#pragma GCC unroll 8
    for (int i = 0; i < K; ++i) sum = fma(x[i], load_some(b + i * g.b_row + j, rest), sum);
    store_some(sum, g.y + j, rest);
  }
}

template <class T>
void row(const RowTimesMatrix<T>& g) noexcept {
  for (int64_t j = 0; j < g.cols; ++j) {
    const T start = g.bias ? g.bias[j] : T(0);
    g.y[j] = g.accumulate ? g.y[j] + start : start;
  }
  int64_t k = 0;
  for (; k + 8 <= g.depth; k += 8) add_rows<T, 8>(g, k);
  for (; k < g.depth; ++k) add_rows<T, 1>(g, k);
}

// Loaders: W elements of a storage type as Vec<Number>.
template <class T>
struct Plain {
  using Stored = T;
  using Number = T;
  static GYRE_INLINE Vec<T> load(const T* p) { return Vec<T>::load(p); }
  static GYRE_INLINE void store(Vec<T> x, T* p) { x.store(p); }
  static GYRE_INLINE T number(T x) { return x; }
  static GYRE_INLINE T stored(T x) { return x; }
};
template <class Conversion>
struct Half : Conversion {
  using Stored = uint16_t;
  using Number = float;
  static GYRE_INLINE float number(uint16_t x) {
    const uint16_t lanes[kWidth<float>] = {x};
    float numbers[kWidth<float>];
    Conversion::load(lanes).store(numbers);
    return numbers[0];
  }
  static GYRE_INLINE uint16_t stored(float x) {
    uint16_t lanes[kWidth<float>];
    Conversion::store(Vec<float>::of(x), lanes);
    return lanes[0];
  }
};
struct ConvertsF16 {
  static GYRE_INLINE Vec<float> load(const uint16_t* p) { return load_f16(p); }
  static GYRE_INLINE void store(Vec<float> x, uint16_t* p) { store_f16(x, p); }
};
struct ConvertsBf16 {
  static GYRE_INLINE Vec<float> load(const uint16_t* p) { return load_bf16(p); }
  static GYRE_INLINE void store(Vec<float> x, uint16_t* p) { store_bf16(x, p); }
};
using F16 = Half<ConvertsF16>;
using Bf16 = Half<ConvertsBf16>;

/// `count` elements as a vector, zeros behind them.
template <class T, class Loader>
GYRE_INLINE Vec<T> load_padded(const typename Loader::Stored* p, int64_t count) {
  if (count >= kWidth<T>) return Loader::load(p);
  typename Loader::Stored lanes[kWidth<T>] = {};
  for (int64_t i = 0; i < count; ++i) lanes[i] = p[i];
  return Loader::load(lanes);
}

/// R rows of A against S columns of B, both contiguous along the depth.
template <class Loader, int R, int S, class Stored = typename Loader::Stored>
void dots(const GemmBlock<Stored>& g, const Stored* a, const Stored* b, Stored* c,
          const Stored* bias) {
  using T = typename Loader::Number;
  constexpr int W = kWidth<T>;
  Vec<T> sum[R][S];
#pragma GCC unroll 16
  for (int i = 0; i < R; ++i) {
#pragma GCC unroll 16
    for (int j = 0; j < S; ++j) sum[i][j] = Vec<T>::of(T(0));
  }
  const int64_t a_row = g.a_row, b_row = g.b_row, whole = g.depth / W * W;
  const auto step = [&](auto load, int64_t k) __attribute__((always_inline)) {
    Vec<T> x[R];
#pragma GCC unroll 16
    for (int i = 0; i < R; ++i) x[i] = load(a + i * a_row + k);
#pragma GCC unroll 16
    for (int j = 0; j < S; ++j) {
      const Vec<T> y = load(b + j * b_row + k);
#pragma GCC unroll 16
      for (int i = 0; i < R; ++i) sum[i][j] = fma(x[i], y, sum[i][j]);
    }
  };
  const auto load = [](const Stored* p) __attribute__((always_inline)) { return Loader::load(p); };
  constexpr int kLine = 64 / sizeof(Stored);  // elements that are fetched at once
  // Of columns that follow each other in memory, the next ones are fetched in that order: several
  // columns in one page are too much for a CPU's own prefetcher.
  const bool in_order = b_row == g.depth;
  const Stored* ahead = b + S * b_row;
  const int64_t ahead_row = in_order ? kLine : b_row, ahead_step = in_order ? S : 1;
  int64_t k = 0;
  for (; k + kLine <= whole; k += kLine) {
#pragma GCC unroll 16
    for (int j = 0; j < S; ++j) __builtin_prefetch(ahead + j * ahead_row + k * ahead_step);
#pragma GCC unroll 4
    for (int i = 0; i < kLine; i += W) step(load, k + i);
  }
  for (; k < whole; k += W) step(load, k);
  const int64_t rest = g.depth - whole;
  if (rest > 0)
    step(
        [=](const Stored* p)
            __attribute__((always_inline)) { return load_padded<T, Loader>(p, rest); },
        whole);
  if constexpr (R == 1 && S % W == 0) {
#pragma GCC unroll 16
    for (int j = 0; j < S; j += W) {
      Vec<T> value = sums_of_lanes(&sum[0][j]);
      if (bias) value = value + Loader::load(bias + j);
      if (g.accumulate) value = value + Loader::load(c + j);
      Loader::store(value, c + j);
    }
    return;
  }
#pragma GCC unroll 16
  for (int i = 0; i < R; ++i) {
#pragma GCC unroll 16
    for (int j = 0; j < S; ++j) {
      Stored* out = c + i * g.c_row + j;
      T value = sum_of_lanes(sum[i][j]);
      if (bias) value += Loader::number(bias[j]);
      *out = Loader::stored(g.accumulate ? value + Loader::number(*out) : value);
    }
  }
}

template <class Loader, int S, class Stored>
GYRE_INLINE void dot_columns(const GemmBlock<Stored>& g, int64_t j) {
  const Stored* b = g.b + j * g.b_row;
  const Stored* bias = g.bias ? g.bias + j : nullptr;
  int64_t i = 0;
  for (; i + kDotRows <= g.rows; i += kDotRows) {
    dots<Loader, kDotRows, S>(g, g.a + i * g.a_row, b, g.c + i * g.c_row + j, bias);
  }
  for (; i + 2 <= g.rows; i += 2) {
    dots<Loader, 2, S>(g, g.a + i * g.a_row, b, g.c + i * g.c_row + j, bias);
  }
  for (; i < g.rows; ++i) dots<Loader, 1, S>(g, g.a + i * g.a_row, b, g.c + i * g.c_row + j, bias);
}

template <class Loader>
void dot(const GemmBlock<typename Loader::Stored>& g) noexcept {
  int64_t j = 0;
  if (g.rows == 1) {
    for (; j + kRowCols <= g.cols; j += kRowCols) {
      dots<Loader, 1, kRowCols>(g, g.a, g.b + j * g.b_row, g.c + j, g.bias ? g.bias + j : nullptr);
    }
  }
  for (; j + kDotCols <= g.cols; j += kDotCols) dot_columns<Loader, kDotCols>(g, j);
  for (; j < g.cols; ++j) dot_columns<Loader, 1>(g, j);
}

template <class T, class Loader>
void pack_rows(const PackSource& from, const PackTarget<T>& to) noexcept {
  constexpr int W = kWidth<T>;
  const auto* in = static_cast<const typename Loader::Stored*>(from.data);
  T* row = to.data;
  for (int64_t i = 0; i < from.rows; ++i, in += from.row, row += to.row) {
    T* out = row;
    for (int64_t first = 0; first < from.cols; first += to.panel, out += to.panel_stride) {
      const int64_t cols = from.cols - first < to.panel ? from.cols - first : to.panel;
      int64_t j = 0;
      for (; j + W <= cols; j += W) {
        __builtin_prefetch(in + kPackAhead * from.row + first + j);
        Loader::load(in + first + j).store(out + j);
      }
      if (j < cols) load_padded<T, Loader>(in + first + j, cols - j).store(out + j);
    }
  }
}

/// Lanes of the lower (Upper = false) or upper halves of a and b by turns.
template <bool Upper, class T, int... I>
GYRE_INLINE Vec<T> interleave(Vec<T> a, Vec<T> b, Lanes<I...>) {
  constexpr int W = kWidth<T>, first = Upper ? W / 2 : 0;
  return Vec<T>::from(__builtin_shufflevector(a.v, b.v, (first + I / 2 + I % 2 * W)...));
}

/// Transposes W vectors of W lanes: log2(W) perfect shuffles.
template <class T>
GYRE_INLINE void transpose(Vec<T> (&x)[kWidth<T>]) {
  constexpr int W = kWidth<T>;
#pragma GCC unroll 4
  for (int round = 1; round < W; round *= 2) {
    Vec<T> y[W];
#pragma GCC unroll 8
    for (int i = 0; i < W / 2; ++i) {
      y[2 * i] = interleave<false>(x[i], x[i + W / 2], FirstLanes<W>{});
      y[2 * i + 1] = interleave<true>(x[i], x[i + W / 2], FirstLanes<W>{});
    }
#pragma GCC unroll 16
    for (int i = 0; i < W; ++i) x[i] = y[i];
  }
}

template <class T, class Loader>
void pack_columns(const PackSource& from, const PackTarget<T>& to) noexcept {
  constexpr int W = kWidth<T>;
  const auto* in = static_cast<const typename Loader::Stored*>(from.data);
  for (int64_t j = 0; j < from.cols; j += W) {
    T* out = to.data + j / to.panel * to.panel_stride + j % to.panel;
    const int64_t cols = from.cols - j < W ? from.cols - j : W;
    for (int64_t i = 0; i < from.rows; i += W) {
      const int64_t rows = from.rows - i < W ? from.rows - i : W;
      Vec<T> x[W];
      if (rows == W && cols == W) {
#pragma GCC unroll 16
        for (int l = 0; l < W; ++l) x[l] = Loader::load(in + (j + l) * from.col + i);
      } else {
        for (int l = 0; l < W; ++l) {
          x[l] = l < cols ? load_padded<T, Loader>(in + (j + l) * from.col + i, rows)
                          : Vec<T>::of(T(0));
        }
      }
      transpose(x);
      for (int64_t l = 0; l < rows; ++l) x[l].store(out + (i + l) * to.row);
    }
  }
}

#if GYRE_VBYTES == 64 && defined(__x86_64__)
/// Up to W pairs of 16-bit elements, zeros behind them.
GYRE_INLINE Vec<float> load_pairs(const uint16_t* p, int64_t elements) {
  constexpr int W = kWidth<float>;
  if (elements >= 2 * W) return Vec<float>::load(reinterpret_cast<const float*>(p));
  uint16_t lanes[2 * W] = {};
  for (int64_t i = 0; i < elements; ++i) lanes[i] = p[i];
  return Vec<float>::load(reinterpret_cast<const float*>(lanes));
}

GYRE_INLINE IntLanes load_u16_padded(const uint16_t* p, int64_t count) {
  if (count >= IntLanes::width) return load_u16(p);
  uint16_t lanes[IntLanes::width] = {};
  for (int64_t i = 0; i < count; ++i) lanes[i] = p[i];
  return load_u16(lanes);
}

void pair_rows(const PackSource& from, const PackTarget<float>& to) noexcept {
  constexpr int W = kWidth<float>;
  const auto* in = static_cast<const uint16_t*>(from.data);
  float* row = to.data;
  for (int64_t i = 0; i < from.rows; i += 2, in += 2 * from.row, row += to.row) {
    const bool lone = i + 1 == from.rows;
    float* out = row;
    for (int64_t first = 0; first < from.cols; first += to.panel, out += to.panel_stride) {
      const int64_t cols = from.cols - first < to.panel ? from.cols - first : to.panel;
      for (int64_t j = 0; j < cols; j += W) {
        const uint16_t* p = in + first + j;
        __builtin_prefetch(p + kPackAhead * from.row);
        __builtin_prefetch(p + (kPackAhead + 1) * from.row);
        IntLanes pair = load_u16_padded(p, cols - j);
        if (!lone) pair = pair | (load_u16_padded(p + from.row, cols - j) << 16);
        Vec<float>::from_bits(pair.v).store(out + j);
      }
    }
  }
}

void pair_columns(const PackSource& from, const PackTarget<float>& to) noexcept {
  constexpr int W = kWidth<float>;
  const auto* in = static_cast<const uint16_t*>(from.data);
  const int64_t pairs = (from.rows + 1) / 2;
  for (int64_t j = 0; j < from.cols; j += W) {
    float* out = to.data + j / to.panel * to.panel_stride + j % to.panel;
    for (int64_t i = 0; i < pairs; i += W) {
      Vec<float> x[W];
#pragma GCC unroll 16
      for (int l = 0; l < W; ++l) {
        const bool there = j + l < from.cols;
        x[l] =
            load_pairs(there ? in + (j + l) * from.col + 2 * i : in, there ? from.rows - 2 * i : 0);
      }
      transpose(x);
      const int64_t rows = pairs - i < W ? pairs - i : W;
      for (int64_t l = 0; l < rows; ++l) x[l].store(out + (i + l) * to.row);
    }
  }
}

void pair_along(const PackSource& from, const PackTarget<float>& to) noexcept {
  constexpr int W = kWidth<float>;
  const auto* in = static_cast<const uint16_t*>(from.data);
  float* row = to.data;
  for (int64_t i = 0; i < from.rows; ++i, in += from.row, row += to.row) {
    for (int64_t k = 0; k < from.cols; k += 2 * W) {
      load_pairs(in + k, from.cols - k).store(row + k / 2);
    }
  }
}

constexpr PairTiles kBf16Pairs{block<float, PairProduct>, {pair_rows, pair_columns, pair_along}};
#else
constexpr PairTiles kBf16Pairs{};
#endif

template <class Loader, bool Add>
void store_half(const float* in, int64_t in_row, void* out, int64_t out_row, int64_t rows,
                int64_t cols) noexcept {
  constexpr int W = kWidth<float>;
  auto* to = static_cast<uint16_t*>(out);
  for (int64_t i = 0; i < rows; ++i, in += in_row, to += out_row) {
    int64_t j = 0;
    for (; j + W <= cols; j += W) {
      const Vec<float> x = Vec<float>::load(in + j);
      Loader::store(Add ? x + Loader::load(to + j) : x, to + j);
    }
    if (j < cols) {
      uint16_t lanes[W] = {};
      for (int64_t l = 0; l < cols - j; ++l) lanes[l] = to[j + l];
      const Vec<float> x = load_some(in + j, cols - j);
      Loader::store(Add ? x + Loader::load(lanes) : x, lanes);
      for (int64_t l = 0; l < cols - j; ++l) to[j + l] = lanes[l];
    }
  }
}

template <class T, class Loader>
constexpr PackTiles<T> kPack{pack_rows<T, Loader>, pack_columns<T, Loader>, pack_rows<T, Loader>};

template <class T>
constexpr GemmTiles<T> kTiles{kRows,         kCols<T>, kGroup<T>, kWidth<T>,         block<T>,
                              dot<Plain<T>>, row<T>,   tiny<T>,   kPack<T, Plain<T>>};

}  // namespace

GYRE_EXPORT_TILES(AllGemmTiles, gemm){
    kTiles<float>,
    kTiles<double>,
    {kPack<float, F16>, {}, dot<F16>, store_half<F16, false>, store_half<F16, true>},
    {kPack<float, Bf16>, kBf16Pairs, dot<Bf16>, store_half<Bf16, false>, store_half<Bf16, true>}};

}  // namespace gyre
