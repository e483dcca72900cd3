#pragma once
#include "gyre/op/tiles.h"
#include "gyre/simd/pack.h"

// Bodies of the row ops of this folder: anchor, reduce, finish, map (see kernel/rowwise_tile.h).

namespace gyre {

struct AxisAttrs {
  int64_t axis = -1;
};
struct NormAttrs {
  int64_t axis = -1;
  double eps = 1e-5;
};
struct AxisKeepAttrs {
  int64_t axis = -1;
  bool keepdim = false;
};

// The row maximum m keeps exp in range; (m, sum) and never log-sum-exp alone, of which one ulp at
// logits of 1e4 would be 1e-3.
struct Softmax {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec{
      .rows = 1, .sums = 1, .coefs = 1, .out_rows = 1, .anchored = true, .keeps = true};
  template <class X>
  static GYRE_BODY X anchor(X x) {
    return x;
  }
  template <class M, class X>
  static GYRE_BODY auto reduce(M m, X x) {
    return pack(exp(x - m));
  }
  template <class M, class S>
  static GYRE_BODY auto finish(RowInfo<Attrs>, M, S sum) {
    return pack(1.0 / sum);
  }
  template <class R, class E>
  static GYRE_BODY auto map(R r, E e) {
    return pack(e * r);
  }
};

struct LogSoftmax {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec{.rows = 1, .sums = 1, .coefs = 2, .out_rows = 1, .anchored = true};
  template <class X>
  static GYRE_BODY X anchor(X x) {
    return x;
  }
  template <class M, class X>
  static GYRE_BODY auto reduce(M m, X x) {
    return pack(exp(x - m));
  }
  template <class M, class S>
  static GYRE_BODY auto finish(RowInfo<Attrs>, M m, S sum) {
    return pack(m, log(sum));
  }
  template <class M, class L, class X>
  static GYRE_BODY auto map(M m, L log_sum, X x) {
    return pack((x - m) - log_sum);
  }
};

// Gradients from the output y without another exp: rows of the gradient g and of y.
struct SoftmaxBackward {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec{.rows = 2, .sums = 1, .coefs = 1, .out_rows = 1};
  template <class G, class Y>
  static GYRE_BODY auto reduce(G g, Y y) {
    return pack(g * y);
  }
  template <class S>
  static GYRE_BODY auto finish(RowInfo<Attrs>, S sum) {
    return pack(sum);
  }
  template <class S, class G, class Y>
  static GYRE_BODY auto map(S sum, G g, Y y) {
    return pack(y * (g - sum));
  }
};
struct LogSoftmaxBackward {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec{.rows = 2, .sums = 1, .coefs = 1, .out_rows = 1};
  template <class G, class Y>
  static GYRE_BODY auto reduce(G g, Y) {
    return pack(g);
  }
  template <class S>
  static GYRE_BODY auto finish(RowInfo<Attrs>, S sum) {
    return pack(sum);
  }
  template <class S, class G, class Y>
  static GYRE_BODY auto map(S sum, G g, Y y) {
    return pack(g - exp(y) * sum);
  }
};

struct LogSumExp {
  using Attrs = AxisKeepAttrs;
  static constexpr RowSpec spec{
      .rows = 1, .sums = 1, .coefs = 1, .out_scalars = 1, .anchored = true};
  template <class X>
  static GYRE_BODY X anchor(X x) {
    return x;
  }
  template <class M, class X>
  static GYRE_BODY auto reduce(M m, X x) {
    return pack(exp(x - m));
  }
  template <class M, class S>
  static GYRE_BODY auto finish(RowInfo<Attrs>, M m, S sum) {
    return pack(select(m - m == 0.0, m + log(sum), m));  // an infinite m is the result
  }
};

// Sums about the row's first element m: the variance of nearly equal large numbers keeps its
// digits.
struct LayerNorm {
  using Attrs = NormAttrs;
  static constexpr RowSpec spec{.rows = 3,
                                .sums = 2,
                                .coefs = 2,
                                .out_rows = 1,
                                .anchored = true,
                                .wide = true,
                                .by_first = true,
                                .absent_ones = 1 << 1};
  template <class X, class G, class B>
  static GYRE_BODY X anchor(X x, G, B) {
    return x;
  }
  template <class M, class X, class G, class B>
  static GYRE_BODY auto reduce(M m, X x, G, B) {
    auto d = x - m;
    return pack(d, d * d);
  }
  template <class M, class S, class Q>
  static GYRE_BODY auto finish(RowInfo<Attrs> row, M m, S sum, Q squares) {
    auto shift = sum / row.length;
    return pack(m + shift, 1.0 / sqrt(squares / row.length - shift * shift + row.attrs.eps));
  }
  template <class M, class R, class X, class G, class B>
  static GYRE_BODY auto map(M mean, R rstd, X x, G gain, B bias) {
    return pack((x - mean) * rstd * gain + bias);
  }
};

struct RmsNorm {
  using Attrs = NormAttrs;
  static constexpr RowSpec spec{
      .rows = 2, .sums = 1, .coefs = 1, .out_rows = 1, .wide = true, .absent_ones = 1 << 1};
  template <class X, class G>
  static GYRE_BODY auto reduce(X x, G) {
    return pack(x * x);
  }
  template <class Q>
  static GYRE_BODY auto finish(RowInfo<Attrs> row, Q squares) {
    return pack(1.0 / sqrt(squares / row.length + row.attrs.eps));
  }
  template <class R, class X, class G>
  static GYRE_BODY auto map(R scale, X x, G gain) {
    return pack(x * scale * gain);
  }
};

// First stage of norms over several axes: moments of rows, to be combined.
struct Moments {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec{.rows = 1,
                                .sums = 2,
                                .coefs = 2,
                                .out_scalars = 2,
                                .anchored = true,
                                .wide = true,
                                .by_first = true};
  template <class X>
  static GYRE_BODY X anchor(X x) {
    return x;
  }
  template <class M, class X>
  static GYRE_BODY auto reduce(M m, X x) {
    auto d = x - m;
    return pack(d, d * d);
  }
  template <class M, class S, class Q>
  static GYRE_BODY auto finish(RowInfo<Attrs> row, M m, S sum, Q squares) {
    auto shift = sum / row.length;
    return pack(m + shift, squares / row.length - shift * shift);
  }
};

// Second stage: one mean, variance, weight and bias per row.
struct Standardize {
  using Attrs = NormAttrs;
  static constexpr RowSpec spec{
      .rows = 1, .scalars = 4, .coefs = 3, .out_rows = 1, .absent_ones = 1 << 3};
  template <class M, class Q, class G, class B>
  static GYRE_BODY auto finish(RowInfo<Attrs> row, M mean, Q variance, G gain, B bias) {
    return pack(mean, gain / sqrt(variance + row.attrs.eps), bias);
  }
  template <class M, class R, class B, class X>
  static GYRE_BODY auto map(M mean, R scale, B bias, X x) {
    return pack((x - mean) * scale + bias);
  }
};

struct CosineAttrs {
  int64_t axis = -1;
  double eps = 1e-8;
};
struct CosineSimilarity {
  using Attrs = CosineAttrs;
  static constexpr RowSpec spec{.rows = 2, .sums = 3, .coefs = 1, .out_scalars = 1, .wide = true};
  template <class X, class Y>
  static GYRE_BODY auto reduce(X x, Y y) {
    return pack(x * y, x * x, y * y);
  }
  template <class S, class Q, class R>
  static GYRE_BODY auto finish(RowInfo<Attrs> row, S products, Q x_squares, R y_squares) {
    double least = row.attrs.eps * row.attrs.eps;
    return pack(products / (sqrt(max(x_squares, least)) * sqrt(max(y_squares, least))));
  }
};

}  // namespace gyre
