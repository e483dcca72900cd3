#pragma once
#include "gyre/hyperbolic/lorentz/lorentz_bodies.h"
#include "gyre/hyperbolic/nn/rows/plane_attrs.h"

// Row bodies around the matrix products of attention by distance on the hyperboloid. Times are in
// units of 1 / sqrt(c).

namespace gyre {

// -b d^2 for the distance d of a query and a key with inner product p and times t and u. h =
// sinh^2(sqrt(c) d / 2) = (t u - c p - 1) / 2; d^2 is analytic in h, so h may be slightly below 0.
struct LorentzAffinity {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec{.rows = 2, .scalars = 3, .coefs = 3, .out_rows = 1};
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto time, auto slope, auto c) {
    return pack(time, -4.0 * slope / c, c);
  }
  static GYRE_BODY auto map(auto time, auto factor, auto c, auto p, auto key_time) {
    auto h = 0.5 * (time * key_time - c * p - 1.0);
    auto half = asinhc(h);
    return pack(factor * (h * half * half));
  }
};

// softmax, and the weighted mean of the keys' times.
struct LorentzWeights {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec{
      .rows = 2, .sums = 2, .coefs = 3, .out_rows = 1, .out_scalars = 1, .anchored = true};
  static GYRE_BODY auto anchor(auto s, auto) { return s; }
  static GYRE_BODY auto reduce(auto m, auto s, auto time) {
    auto e = exp(s - m);
    return pack(e, e * time);
  }
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto m, auto sum, auto times) {
    return pack(times / sum, m, 1.0 / sum);
  }
  static GYRE_BODY auto map(auto, auto m, auto k, auto s, auto) { return pack(exp(s - m) * k); }
};

// (t, x) normalised onto the hyperboloid.
struct LorentzCentroid {
  using Attrs = NarrowAttrs;
  static constexpr RowSpec spec = exact_row({.rows = 1, .scalars = 2, .sums = 1, .coefs = 1});
  static GYRE_BODY auto reduce(auto, auto, auto x) { return pack(x * x); }
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto time, auto c, auto xx) {
    return pack(1.0 / sqrt(fma_near(time, time, -(c * xx.hi))));
  }
  static GYRE_BODY auto map(auto k, auto x) { return pack(k * x); }
};

}  // namespace gyre
