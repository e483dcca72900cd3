#include "gyre/hyperbolic/sets.h"

#include "gyre/hyperbolic/ball.h"
#include "gyre/hyperbolic/define_sets.h"
#include "gyre/hyperbolic/klein.h"
#include "gyre/hyperbolic/lorentz.h"

namespace gyre {

#define OP(name) extern const OpDef name##_def;
#include "gyre/hyperbolic/sets.def"
#undef OP

namespace {

constexpr const char* kMidpoint = "the midpoint of points x [..., n, d] by weights [..., n]";

// ---- all pairs: the row kernel broadcasts ----

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
  OpDef d = define_op(name, "distances of all pairs of x [..., n, d] and y [..., m, d]", nullptr,
                      kTwoPoints);
  d.compose = all_pairs<dist, allowed>;
  d.samples = pairs_samples<allowed>;
  return d;
}

// ---- midpoints ----

using Convert = Tensor (*)(const Tensor&, const Tensor&, const AxisAttrs&);

// Weighted sums of the points of a set on the hyperboloid: of space and of sqrt(c) times time.
struct Sums {
  Tensor space, time, length;  // length: of (time, space), which c makes 1

  Sums(Inputs in, Convert raise) {
    Tensor c = to(in[2], DType::f64), of_points = c.rank() ? unsqueeze(c, -1) : c;
    Tensor x = to(in[0], DType::f64), w = to(in[1], DType::f64);
    if (raise) x = raise(x, of_points, {});
    space = sum(unsqueeze(w, -1) * x, -2);
    time = sum(w * sqrt(1.0 + of_points * sum(x * x, -1)), -1);
    length = unsqueeze(sqrt(time * time - c * sum(space * space, -1)), -1);
    time = unsqueeze(time, -1);
  }
};
Tensor of_ball(Inputs in) {
  Sums s(in, poincare_to_lorentz);
  return s.space / (s.time + s.length);
}
Tensor of_hyperboloid(Inputs in) {
  Sums s(in, nullptr);
  return s.space / s.length;
}
Tensor of_klein(Inputs in) {
  Sums s(in, klein_to_lorentz);
  return s.space / s.time;
}

}  // namespace

constinit const OpDef poincare_cdist_def =
    pairs_op<poincare_dist, Curvature::any>("poincare_cdist");
constinit const OpDef lorentz_cdist_def =
    pairs_op<lorentz_dist, Curvature::positive>("lorentz_cdist");
constinit const OpDef klein_cdist_def = pairs_op<klein_dist, Curvature::positive>("klein_cdist");
constinit const OpDef poincare_midpoint_def = weighted_op<of_ball>("poincare_midpoint", kMidpoint);
constinit const OpDef lorentz_midpoint_def =
    weighted_op<of_hyperboloid>("lorentz_midpoint", kMidpoint);
constinit const OpDef klein_midpoint_def = weighted_op<of_klein>("klein_midpoint", kMidpoint);

#define SETS(name)                                                 \
  Tensor name(const Tensor& x, const Tensor& y, const Tensor& c) { \
    return apply_one(name##_def, {x, y, c});                       \
  }
SETS(poincare_cdist)
SETS(lorentz_cdist)
SETS(klein_cdist)
SETS(poincare_midpoint)
SETS(lorentz_midpoint)
SETS(klein_midpoint)
#undef SETS

}  // namespace gyre
