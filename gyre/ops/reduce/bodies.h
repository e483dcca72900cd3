#pragma once
#include "gyre/op/tiles.h"
#include "gyre/simd/pack.h"

// Bodies of the moments along one axis: anchor, reduce, finish (see kernel/rows/rowwise_tile.h).

namespace gyre {

struct MomentRowsAttrs {
  int64_t axis = -1;
  double correction = 1;
};
struct NormRowsAttrs {
  int64_t axis = -1;
};

// Sums about the row's first element m: (mean - m)^2 is at most n times the variance, so that what
// cancels is small against what stays, however far from zero the row lies. `results` per row.
template <int results>
struct SumsAboutFirst {
  static constexpr RowSpec spec{.rows = 1,
                                .sums = 2,
                                .coefs = results,
                                .out_scalars = results,
                                .anchored = true,
                                .wide = true,
                                .by_first = true};
  static GYRE_BODY auto anchor(auto x) { return x; }
  static GYRE_BODY auto reduce(auto m, auto x) {
    auto d = x - m;
    return pack(d, d * d);
  }
};

struct VarRows : SumsAboutFirst<1> {
  using Attrs = MomentRowsAttrs;
  static GYRE_BODY auto variance(RowInfo<Attrs> row, auto sum, auto squares) {
    double freedom = row.length - row.attrs.correction;
    return (squares - sum * sum * (1.0 / row.length)) / (freedom > 0 ? freedom : 0.0);
  }
  static GYRE_BODY auto finish(RowInfo<Attrs> row, auto, auto sum, auto squares) {
    return pack(variance(row, sum, squares));
  }
};

struct StdRows : VarRows {
  // At variance 0 the gradient is 0; the product keeps NaN.
  static GYRE_BODY auto finish(RowInfo<Attrs> row, auto, auto sum, auto squares) {
    auto v = variance(row, sum, squares);
    return pack(select(v > 0.0, sqrt(select(v > 0.0, v, 1.0)), v * 0.0));
  }
};

// Squares of x scaled by the largest |x|, so that they neither overflow nor underflow.
struct NormRows {
  using Attrs = NormRowsAttrs;
  static constexpr RowSpec spec{
      .rows = 1, .sums = 1, .coefs = 1, .out_scalars = 1, .anchored = true, .wide = true};
  static GYRE_BODY auto anchor(auto x) { return abs(x); }
  // 0 and infinity (m + m == m) are not used as scale.
  static GYRE_BODY auto scale(auto m) { return select(m + m == m, 1.0, m); }
  static GYRE_BODY auto reduce(auto m, auto x) {
    auto t = x * (1.0 / scale(m));
    return pack(t * t);
  }
  // At the zero vector the gradient is 0; the product keeps NaN.
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto m, auto sum) {
    return pack(scale(m) * select(sum > 0.0, sqrt(select(sum > 0.0, sum, 1.0)), sum * 0.0));
  }
};

}  // namespace gyre
