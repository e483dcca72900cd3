#pragma once
#include "gyre/hyperbolic/lorentz/lorentz_bodies.h"

// Row bodies of the linear layer of Chen et al. 2022 on the hyperboloid: rows are space
// coordinates, `time` the time coordinate.

namespace gyre {

// x, its time t and gate = scale sigmoid(<v, x> + v_t t + bias).
struct LorentzGate {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec =
      exact_row({.rows = 2, .scalars = 4, .sums = 2, .coefs = 2, .out_scalars = 2});
  static GYRE_BODY auto reduce(auto, auto, auto, auto, auto x, auto v) {
    return pack(x * x, x * v);
  }
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto by_time, auto bias, auto scale, auto c, auto xx,
                               auto xv) {
    auto time = sqrt(1.0 / c + xx.hi);
    return pack(time, scale * sigmoid(xv.hi + by_time * time + bias));
  }
  static GYRE_BODY auto map(auto, auto, auto x, auto) { return pack(x); }
};

// gate h / |h| for h = product + time w + b.
struct LorentzGated {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec{
      .rows = 3, .scalars = 2, .sums = 1, .coefs = 2, .out_rows = 1, .wide = true};
  static GYRE_BODY auto reduce(auto time, auto, auto p, auto w, auto b) {
    auto h = p + time * w + b;
    return pack(h * h);
  }
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto time, auto gate, auto hh) {
    auto some = hh > 0.0;
    return pack(select(some, gate / sqrt(select(some, hh, 1.0)), 0.0), time);
  }
  static GYRE_BODY auto map(auto k, auto time, auto p, auto w, auto b) {
    return pack(k * (p + time * w + b));
  }
};

}  // namespace gyre
