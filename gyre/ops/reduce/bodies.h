#pragma once
#include "gyre/op/tiles.h"
#include "gyre/simd/pack.h"

// Bodies of the moments along one axis: anchor, reduce, finish (see kernel/rowwise_tile.h).

namespace gyre {

struct MomentRowsAttrs {
  int64_t axis = -1;
  double correction = 1;
};
struct NormRowsAttrs {
  int64_t axis = -1;
};

// Sums about the row's first element m: (mean - m)^2 is at most n times the variance, so that what
// cancels is small against what stays, however far from zero the row lies.
struct VarRows {
  using Attrs = MomentRowsAttrs;
  static constexpr RowSpec spec{.rows = 1,
                                .sums = 2,
                                .coefs = 1,
                                .out_scalars = 1,
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
  template <class S, class Q>
  static GYRE_BODY auto variance(RowInfo<Attrs> row, S sum, Q squares) {
    double freedom = row.length - row.attrs.correction;
    return (squares - sum * sum * (1.0 / row.length)) / (freedom > 0 ? freedom : 0.0);
  }
  template <class M, class S, class Q>
  static GYRE_BODY auto finish(RowInfo<Attrs> row, M, S sum, Q squares) {
    return pack(variance(row, sum, squares));
  }
};

struct StdRows {
  using Attrs = MomentRowsAttrs;
  static constexpr RowSpec spec = VarRows::spec;
  template <class X>
  static GYRE_BODY X anchor(X x) {
    return x;
  }
  template <class M, class X>
  static GYRE_BODY auto reduce(M m, X x) {
    return VarRows::reduce(m, x);
  }
  // At variance 0 the gradient is 0; the product keeps NaN.
  template <class M, class S, class Q>
  static GYRE_BODY auto finish(RowInfo<Attrs> row, M, S sum, Q squares) {
    auto v = VarRows::variance(row, sum, squares);
    return pack(select(v > 0.0, sqrt(select(v > 0.0, v, 1.0)), v * 0.0));
  }
};

// Squares of x scaled by the largest |x|, so that they neither overflow nor underflow.
struct NormRows {
  using Attrs = NormRowsAttrs;
  static constexpr RowSpec spec{
      .rows = 1, .sums = 1, .coefs = 1, .out_scalars = 1, .anchored = true, .wide = true};
  template <class X>
  static GYRE_BODY X anchor(X x) {
    return abs(x);
  }
  // 0 and infinity (m + m == m) are not used as scale.
  template <class M>
  static GYRE_BODY auto scale(M m) {
    return select(m + m == m, 1.0, m);
  }
  template <class M, class X>
  static GYRE_BODY auto reduce(M m, X x) {
    auto t = x * (1.0 / scale(m));
    return pack(t * t);
  }
  // At the zero vector the gradient is 0; the product keeps NaN.
  template <class M, class S>
  static GYRE_BODY auto finish(RowInfo<Attrs>, M m, S sum) {
    return pack(scale(m) * select(sum > 0.0, sqrt(select(sum > 0.0, sum, 1.0)), sum * 0.0));
  }
};

}  // namespace gyre
