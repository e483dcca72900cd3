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
  template <class T, class B, class C>
  static GYRE_BODY auto finish(RowInfo<Attrs>, T time, B slope, C c) {
    return pack(time, -4.0 * slope / c, c);
  }
  template <class T, class B, class C, class P, class U>
  static GYRE_BODY auto map(T time, B factor, C c, P p, U key_time) {
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
  template <class S, class T>
  static GYRE_BODY S anchor(S s, T) {
    return s;
  }
  template <class M, class S, class T>
  static GYRE_BODY auto reduce(M m, S s, T time) {
    auto e = exp(s - m);
    return pack(e, e * time);
  }
  template <class M, class N, class T>
  static GYRE_BODY auto finish(RowInfo<Attrs>, M m, N sum, T times) {
    return pack(times / sum, m, 1.0 / sum);
  }
  template <class L, class M, class K, class S, class T>
  static GYRE_BODY auto map(L, M m, K k, S s, T) {
    return pack(exp(s - m) * k);
  }
};

// (t, x) normalised onto the hyperboloid.
struct LorentzCentroid {
  using Attrs = NarrowAttrs;
  static constexpr RowSpec spec{
      .rows = 1, .scalars = 2, .sums = 1, .coefs = 1, .out_rows = 1, .exact = true};
  template <class T, class C, class X>
  static GYRE_BODY auto reduce(T, C, X x) {
    return pack(x * x);
  }
  template <class T, class C, class N>
  static GYRE_BODY auto finish(RowInfo<Attrs>, T time, C c, N xx) {
    return pack(1.0 / sqrt(fma_near(time, time, -(c * xx.hi))));
  }
  template <class K, class X>
  static GYRE_BODY auto map(K k, X x) {
    return pack(k * x);
  }
};

}  // namespace gyre
