#pragma once
#include "gyre/op/tiles.h"
#include "gyre/ops/reduce/bodies.h"
#include "gyre/simd/pack.h"

// Bodies of the row ops of this folder: anchor, reduce, finish, map (kernel/rows/rowwise_tile.h).

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
  static GYRE_BODY auto anchor(auto x) { return x; }
  static GYRE_BODY auto reduce(auto m, auto x) { return pack(exp(x - m)); }
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto, auto sum) { return pack(1.0 / sum); }
  static GYRE_BODY auto map(auto r, auto e) { return pack(e * r); }
};

struct LogSoftmax {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec{.rows = 1, .sums = 1, .coefs = 2, .out_rows = 1, .anchored = true};
  static GYRE_BODY auto anchor(auto x) { return x; }
  static GYRE_BODY auto reduce(auto m, auto x) { return pack(exp(x - m)); }
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto m, auto sum) { return pack(m, log(sum)); }
  static GYRE_BODY auto map(auto m, auto log_sum, auto x) { return pack((x - m) - log_sum); }
};

// Gradients from the output y without another exp: rows of the gradient g and of y.
struct SoftmaxBackward {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec{.rows = 2, .sums = 1, .coefs = 1, .out_rows = 1};
  static GYRE_BODY auto reduce(auto g, auto y) { return pack(g * y); }
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto sum) { return pack(sum); }
  static GYRE_BODY auto map(auto sum, auto g, auto y) { return pack(y * (g - sum)); }
};
struct LogSoftmaxBackward : SoftmaxBackward {
  static GYRE_BODY auto reduce(auto g, auto) { return pack(g); }
  static GYRE_BODY auto map(auto sum, auto g, auto y) { return pack(g - exp(y) * sum); }
};

struct LogSumExp {
  using Attrs = AxisKeepAttrs;
  static constexpr RowSpec spec{
      .rows = 1, .sums = 1, .coefs = 1, .out_scalars = 1, .anchored = true};
  static GYRE_BODY auto anchor(auto x) { return x; }
  static GYRE_BODY auto reduce(auto m, auto x) { return pack(exp(x - m)); }
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto m, auto sum) {
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
  static GYRE_BODY auto anchor(auto x, auto, auto) { return x; }
  static GYRE_BODY auto reduce(auto m, auto x, auto, auto) {
    auto d = x - m;
    return pack(d, d * d);
  }
  static GYRE_BODY auto finish(RowInfo<Attrs> row, auto m, auto sum, auto squares) {
    auto shift = sum / row.length;
    return pack(m + shift, 1.0 / sqrt(squares / row.length - shift * shift + row.attrs.eps));
  }
  static GYRE_BODY auto map(auto mean, auto rstd, auto x, auto gain, auto bias) {
    return pack((x - mean) * rstd * gain + bias);
  }
};

struct RmsNorm {
  using Attrs = NormAttrs;
  static constexpr RowSpec spec{
      .rows = 2, .sums = 1, .coefs = 1, .out_rows = 1, .wide = true, .absent_ones = 1 << 1};
  static GYRE_BODY auto reduce(auto x, auto) { return pack(x * x); }
  static GYRE_BODY auto finish(RowInfo<Attrs> row, auto squares) {
    return pack(1.0 / sqrt(squares / row.length + row.attrs.eps));
  }
  static GYRE_BODY auto map(auto scale, auto x, auto gain) { return pack(x * scale * gain); }
};

// First stage of norms over several axes: moments of rows, to be combined.
struct Moments : SumsAboutFirst<2> {
  using Attrs = AxisAttrs;
  static GYRE_BODY auto finish(RowInfo<Attrs> row, auto m, auto sum, auto squares) {
    auto shift = sum / row.length;
    return pack(m + shift, squares / row.length - shift * shift);
  }
};

// Second stage: one mean, variance, weight and bias per row.
struct Standardize {
  using Attrs = NormAttrs;
  static constexpr RowSpec spec{
      .rows = 1, .scalars = 4, .coefs = 3, .out_rows = 1, .absent_ones = 1 << 3};
  static GYRE_BODY auto finish(RowInfo<Attrs> row, auto mean, auto variance, auto gain, auto bias) {
    return pack(mean, gain / sqrt(variance + row.attrs.eps), bias);
  }
  static GYRE_BODY auto map(auto mean, auto scale, auto bias, auto x) {
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
  static GYRE_BODY auto reduce(auto x, auto y) { return pack(x * y, x * x, y * y); }
  static GYRE_BODY auto finish(RowInfo<Attrs> row, auto products, auto x_squares, auto y_squares) {
    double least = row.attrs.eps * row.attrs.eps;
    return pack(products / (sqrt(max(x_squares, least)) * sqrt(max(y_squares, least))));
  }
};

}  // namespace gyre
