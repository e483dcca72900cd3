#include "gyre/hyperbolic/sets.h"

#include "gyre/hyperbolic/ball/ball.h"
#include "gyre/hyperbolic/define_sets.h"
#include "gyre/hyperbolic/klein/klein.h"
#include "gyre/hyperbolic/lorentz/lorentz.h"

namespace gyre {

#define GYRE_OPS "gyre/hyperbolic/sets.def"
#include "gyre/kernel/declare_ops.def"

namespace {

// ---- pairwise distances: the row kernel broadcasts ----

using Distance = Tensor (*)(const Tensor&, const Tensor&, const Tensor&, const AxisKeepAttrs&);

template <Distance dist, Curvature allowed>
Tensors all_pairs(const OpDef& op, const void*, Inputs in) {
  check_curvature(op, in[2], allowed);
  check_sets(op, in[0], "x", "[..., n, d]");
  check_sets(op, in[1], "y", "[..., m, d]");
  return {dist(unsqueeze(in[0], -2), unsqueeze(in[1], -3), in[2], {})};
}

template <Curvature allowed>
void pairs_samples(Samples& s) {
  auto points = [&](const Shape& shape) { return s.uniform(shape, -0.4, 0.4); };
  s.add({points({3, 4}), points({5, 4}), s.uniform({}, 0.5, 1)});
  s.add({points({2, 3, 2}), points({4, 2}), s.uniform({3, 1}, 0.5, 1)});
  s.add({points({1, 3}), points({2, 3}), s.uniform({2}, 0.5, 1)});
  s.add({points({2, 3}), points({70, 3}), s.uniform({}, 0.5, 1)});
  s.refuse(Code::shape, {points({3}), points({5, 3}), s.uniform({}, 0.5, 1)});
  s.refuse(Code::shape, {points({5, 3}), points({3}), s.uniform({}, 0.5, 1)});
  s.refuse(Code::shape, {points({2, 3}), points({5, 4}), s.uniform({}, 0.5, 1)});
}

template <Distance dist, Curvature allowed>
constexpr OpDef pairs_op(const char* name) {
  return {.name = name,
          .doc = "pairwise geodesic distances of x [..., n, d] and y [..., m, d]: [..., n, m]",
          .args = kTwoPoints.args,
          .compose = all_pairs<dist, allowed>,
          .samples = pairs_samples<allowed>};
}

// ---- midpoints ----

using Convert = Tensor (*)(const Tensor&, const Tensor&, const AxisAttrs&);

// A set of points on the hyperboloid and the weighted sums of space and of sqrt(c) times time.
struct Sums {
  Tensor c, x, w, times;  // c broadcast to the points
  Tensor space, time;

  Sums(Inputs in, Convert raise) : c(in[2]), x(to(in[0], DType::f64)), w(to(in[1], DType::f64)) {
    // not a number of the program, for which raise() would require c > 0
    c = c.meta().weak ? constant({1}, c.item(), {DType::f64, x.device()})
                      : unsqueeze(to(c, DType::f64), -1);
    if (raise) x = raise(x, c, {});
    times = sqrt(1.0 + c * sum(x * x, -1));
    space = sum(unsqueeze(w, -1) * x, -2);
    time = sum(w * times, -1, true);
  }

  // The Lorentzian norm of (time, space), times sqrt(c). Far from the origin the squares nearly
  // cancel; then time - sqrt(c)|space| is summed over the points instead.
  Tensor length() const {
    Tensor square = c * sum(space * space, -1, true), whole = time * time;
    Tensor far = 4.0 * square > whole, safe = where(far, square, 1.0);
    Tensor lack = sum(w * lacking(safe), -1, true);
    return sqrt(where(empty(), 1.0, where(far, (time + sqrt(safe)) * lack, whole - square)));
  }

  // Whether all weights are 0.
  Tensor empty() const { return time == 0.0; }
  // space / length, the origin for an empty set.
  Tensor over(const Tensor& length) const {
    return where(empty(), 0.0, space / where(empty(), 1.0, length));
  }

  // sqrt(c) (t - <x, u>) of the points for the direction u of the sum, `square` = c|space|^2; for
  // <x, u> >= 0 as (1 + c|across|^2) / (sqrt(c) (t + <x, u>)) with x = <x, u> u + across.
  Tensor lacking(const Tensor& square) const {
    Tensor s = unsqueeze(space, -2), share = c * sum(x * s, -1) / square;
    Tensor across = x - unsqueeze(share, -1) * s, along = share * sqrt(square);
    Tensor ahead = along >= 0.0, most = times + where(ahead, along, 0.0);
    return where(ahead, (1.0 + c * sum(across * across, -1)) / most, times - along);
  }
};
Tensor of_ball(Inputs in) {
  Sums s(in, poincare_to_lorentz);
  return s.over(s.time + s.length());
}
Tensor of_hyperboloid(Inputs in) {
  Sums s(in, nullptr);
  return s.over(s.length());
}
Tensor of_klein(Inputs in) {
  Sums s(in, klein_to_lorentz);
  return s.over(s.time);
}

// Also far from the origin, with points opposite to the sum and at the origin, and with sum 0.
template <Curvature allowed>
void midpoint_samples(Samples& s) {
  weighted_samples<allowed>(s);
  Tensor ahead = s.uniform({9, 3}, 0.5, 0.55), behind = s.uniform({1, 3}, -0.1, -0.05);
  s.add({ahead, s.uniform({9}, 0.5, 2), s.uniform({}, 0.9, 1)});
  s.add({cat({ahead, behind, 0.0 * behind}, 0), s.uniform({11}, 0.8, 1.2), s.uniform({}, 0.9, 1)});
  s.extreme({cat({behind, -behind}, 0), ones({2}), s.uniform({}, 0.9, 1)});
}
template <Tensor (*f)(Inputs), Curvature allowed>
constexpr OpDef midpoint_op(const char* name) {
  OpDef d = weighted_op<f, allowed>(name,
                                    "weighted midpoint (gyromidpoint) of points x [..., n, d], "
                                    "weights [..., n]; the origin if these are 0");
  d.samples = midpoint_samples<allowed>;
  return d;
}

}  // namespace

constinit const OpDef poincare_cdist_def =
    pairs_op<poincare_dist, Curvature::any>("poincare_cdist");
constinit const OpDef lorentz_cdist_def =
    pairs_op<lorentz_dist, Curvature::positive>("lorentz_cdist");
constinit const OpDef klein_cdist_def = pairs_op<klein_dist, Curvature::positive>("klein_cdist");
constinit const OpDef poincare_midpoint_def =
    midpoint_op<of_ball, Curvature::any>("poincare_midpoint");
constinit const OpDef lorentz_midpoint_def =
    midpoint_op<of_hyperboloid, Curvature::positive>("lorentz_midpoint");
constinit const OpDef klein_midpoint_def =
    midpoint_op<of_klein, Curvature::positive>("klein_midpoint");

GYRE_SET_FUNCTION(poincare_cdist)
GYRE_SET_FUNCTION(lorentz_cdist)
GYRE_SET_FUNCTION(klein_cdist)
GYRE_SET_FUNCTION(poincare_midpoint)
GYRE_SET_FUNCTION(lorentz_midpoint)
GYRE_SET_FUNCTION(klein_midpoint)

}  // namespace gyre
