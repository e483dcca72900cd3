#pragma once
#include "gyre/hyperbolic/lorentz/lorentz_bodies.h"

// Row bodies of the linear layer of Chen et al. 2022 on the hyperboloid: rows are space
// coordinates, `time` the time coordinate.

namespace gyre {

// x, its time t and gate = scale sigmoid(<v, x> + v_t t + bias).
struct LorentzGate {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec{.rows = 2,
                                .scalars = 4,
                                .sums = 2,
                                .coefs = 2,
                                .out_rows = 1,
                                .out_scalars = 2,
                                .exact = true};
  template <class T, class B, class S, class C, class X, class V>
  static GYRE_BODY auto reduce(T, B, S, C, X x, V v) {
    return pack(x * x, x * v);
  }
  template <class T, class B, class S, class C, class N, class P>
  static GYRE_BODY auto finish(RowInfo<Attrs>, T by_time, B bias, S scale, C c, N xx, P xv) {
    auto time = sqrt(1.0 / c + xx.hi);
    return pack(time, scale * sigmoid(xv.hi + by_time * time + bias));
  }
  template <class T, class G, class X, class V>
  static GYRE_BODY auto map(T, G, X x, V) {
    return pack(x);
  }
};

// gate h / |h| for h = product + time w + b.
struct LorentzGated {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec{
      .rows = 3, .scalars = 2, .sums = 1, .coefs = 2, .out_rows = 1, .wide = true};
  template <class T, class G, class P, class W, class B>
  static GYRE_BODY auto reduce(T time, G, P p, W w, B b) {
    auto h = p + time * w + b;
    return pack(h * h);
  }
  template <class T, class G, class N>
  static GYRE_BODY auto finish(RowInfo<Attrs>, T time, G gate, N hh) {
    auto some = hh > 0.0;
    return pack(select(some, gate / sqrt(select(some, hh, 1.0)), 0.0), time);
  }
  template <class K, class T, class P, class W, class B>
  static GYRE_BODY auto map(K k, T time, P p, W w, B b) {
    return pack(k * (p + time * w + b));
  }
};

}  // namespace gyre
