#pragma once
#include "gyre/hyperbolic/lorentz/lorentz_bodies.h"
#include "gyre/hyperbolic/nn/rows/plane_attrs.h"

// Row bodies around the matrix product of points x and hyperplanes with normals z and offsets r.
// With the image (s, t) of x on the hyperboloid, t in units of 1 / sqrt(c), all logits are
// gain u asinh(sqrt(c) u) / (sqrt(c) u), u = slope <s, z> - t offset. The product is of x and z
// themselves, so that it is exact in twice their precision; s = (1 + t) x on the ball.

namespace gyre {

struct Lift {
  using Attrs = PlaneAttrs;
  static constexpr RowSpec spec =
      exact_row({.rows = 1, .scalars = 1, .sums = 1, .coefs = 1, .out_scalars = 1});
  static GYRE_BODY auto reduce(auto, auto x) { return pack(x * x); }
  static GYRE_BODY auto map(auto, auto x) { return pack(x); }
};
struct PoincareLift : Lift {
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto xx) {
    auto a = defect(c, xx);
    return pack((2.0 - a) / a);
  }
};
struct LorentzLift : Lift {
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto xx) {
    return pack(lorentz_time(c, xx));
  }
};

// slope = cosh(sqrt(c) d) / |z|, offset = sinh(sqrt(c) d) / sqrt(c) for the distance d of the
// hyperplane from the origin, gain = |z|; a zero normal gives logit 0.
struct Planes {
  using Attrs = PlaneAttrs;
  static constexpr RowSpec spec =
      exact_row({.rows = 1, .scalars = 2, .sums = 1, .coefs = 3, .out_scalars = 3});
  static GYRE_BODY auto reduce(auto, auto, auto z) { return pack(z * z); }
  static GYRE_BODY auto at_distance(auto d, auto c, auto zz, double gain) {
    auto some = zz.hi > 0.0;
    auto k = c * d * d;
    auto per_length = select(some, 1.0 / sqrt(select(some, zz.hi, 1.0)), 0.0);
    return pack(cosh_root(k) * per_length, d * sinhc(k), gain * root(zz.hi));
  }
  static GYRE_BODY auto map(auto, auto, auto, auto z) { return pack(z); }
};
// r is the gyrodistance, half of the distance: lambda is 2 at the origin.
struct PoincarePlanes : Planes {
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto r, auto c, auto zz) {
    return at_distance(2.0 * r, c, zz, 2.0);
  }
};
struct LorentzPlanes : Planes {
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto r, auto c, auto zz) {
    return at_distance(r, c, zz, 1.0);
  }
};

/// The logit for a product p = <x, z>, where s = stretch x.
GYRE_BODY auto plane_score(auto stretch, auto t, auto c, auto p, auto slope, auto offset,
                           auto gain) {
  auto u = stretch * (slope * p) - t * offset;
  return gain * u * asinhc(c * (u * u));
}

struct PoincareScores {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec{.rows = 4, .scalars = 2, .coefs = 3, .out_rows = 1};
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto t, auto c) { return pack(1.0 + t, t, c); }
  static GYRE_BODY auto map(auto stretch, auto t, auto c, auto p, auto slope, auto offset,
                            auto gain) {
    return pack(plane_score(stretch, t, c, p, slope, offset, gain));
  }
};
struct LorentzScores {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec{.rows = 4, .scalars = 2, .coefs = 2, .out_rows = 1};
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto t, auto c) { return pack(t, c); }
  static GYRE_BODY auto map(auto t, auto c, auto p, auto slope, auto offset, auto gain) {
    return pack(plane_score(1.0, t, c, p, slope, offset, gain));
  }
};

// The point at signed distances v from the hyperplanes through the origin orthogonal to the axes:
// w / (1 + sqrt(1 + c|w|^2)), w = sinh(sqrt(c) v) / sqrt(c); projected into the ball. Beyond
// sqrt(c) |v| = 38, at the border of the ball in every dtype, w grows linearly, so that the sum of
// squares does not overflow. The sum is of the elements that map computes: in a wider type it would
// miss their rounding errors, which are larger than the margin of the projection.
struct PoincareFromPlanes {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec{.rows = 4, .scalars = 2, .sums = 1, .coefs = 4, .out_rows = 1};
  static GYRE_BODY auto lifted(auto stretch, auto t, auto c, auto p, auto slope, auto offset,
                               auto gain) {
    constexpr double kMost = 38.0 * 38.0;
    auto v = plane_score(stretch, t, c, p, slope, offset, gain);
    auto k = c * (v * v);
    return v * sinhc(select(k < kMost, k, kMost));
  }
  static GYRE_BODY auto reduce(auto t, auto c, auto p, auto slope, auto offset, auto gain) {
    auto w = lifted(1.0 + t, t, c, p, slope, offset, gain);
    return pack(c * w * w);
  }
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto t, auto c, auto cww) {
    auto time = sqrt(1.0 + cww);
    auto k = 1.0 / (1.0 + time);
    return pack(k * drawn_inside((time - 1.0) * k, kProjectMargin), 1.0 + t, t, c);
  }
  static GYRE_BODY auto map(auto k, auto stretch, auto t, auto c, auto p, auto slope, auto offset,
                            auto gain) {
    return pack(k * lifted(stretch, t, c, p, slope, offset, gain));
  }
};

}  // namespace gyre
