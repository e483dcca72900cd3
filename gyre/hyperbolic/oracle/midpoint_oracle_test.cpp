// Midpoints and their gradients against the sum over all pairs in 113 bits: sets at every radius,
// of one point, of near points, in all directions, with opposite points and points nearer the
// origin.
#if defined(__SIZEOF_FLOAT128__)
#include <gtest/gtest.h>

#include "gyre/autograd/backward.h"
#include "gyre/hyperbolic/oracle/oracle_angles.h"
#include "gyre/hyperbolic/oracle/oracle_cases.h"
#include "gyre/hyperbolic/sets.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::oracle {
namespace {

struct Set {
  std::vector<Vector> points;
  Vector weights;
};

Vector scaled(Quad k, const Vector& x) { return combined(k, x, 0, x); }
Vector far_out(const Vector& direction, double radius, double c) {
  return scaled(sinh(Jet(radius)).v / sqrt(Quad(c) * dot(direction, direction)), direction);
}

// On the hyperboloid; points of a set at about the radius, near ones at distance `apart`.
std::vector<Set> sets_at(double radius, int d, double c) {
  Rounded random(static_cast<uint64_t>(d));
  std::vector<Set> sets;
  for (double apart : {1e-3, 0.1, 2.0}) {
    Vector u = random.direction(d);
    Set near;
    for (int i = 0; i < 5; ++i) {
      Vector to = combined(1, u, Quad(apart) / sinh(Jet(radius)).v, random.direction(d));
      near.points.push_back(far_out(to, radius - apart * i / 5, c));
      near.weights.push_back(1 + Quad(i) / 2);
    }
    Set more = near;
    more.points.push_back(far_out(scaled(-1, u), 1, c));
    more.weights.push_back(3);
    sets.push_back({{near.points[0]}, {2}});
    sets.push_back({{near.points[0], near.points[0], near.points[0]}, {1, 1, 1}});
    sets.push_back(near);
    sets.push_back(more);
  }
  Set about;
  for (int i = 0; i < 4; ++i) {
    about.points.push_back(far_out(random.direction(d), radius * (i + 1) / 4, c));
    about.weights.push_back(1);
  }
  sets.push_back(about);
  return sets;
}

struct Model {
  const char* name;
  Tensor (*midpoint)(const Tensor& x, const Tensor& weights, const Tensor& c);
  bool ball;

  Vector lowered(const Vector& x, double c) const {
    return ball ? scaled(1 / (1 + sqrt(1 + Quad(c) * dot(x, x))), x) : x;
  }
  Vector raised(const Vector& x, double c) const {
    return ball ? scaled(2 / (1 - Quad(c) * dot(x, x)), x) : x;
  }
};
const Model kBall{"ball", poincare_midpoint, true},
    kLorentz{"hyperboloid", lorentz_midpoint, false};

Quad half_way(const Vector& a, const Vector& b, double c) {
  return half_angle(Quad(c), dot(a, a), dot(b, b), apart_of(a, b, across(a, b))).v;
}

// The weighted sum of a set and its Lorentzian norm.
struct Sum {
  Vector space;
  Quad length;
  Sum(const Set& set, double c) : space(set.points[0].size()), length(0) {
    for (size_t i = 0; i < set.points.size(); ++i) {
      space = combined(1, space, set.weights[i], set.points[i]);
      for (size_t j = 0; j < set.points.size(); ++j) {
        const Quad cosh = 1 + 2 * half_way(set.points[i], set.points[j], c);
        length += set.weights[i] * set.weights[j] * cosh;
      }
    }
    length = sqrt(length);
  }
};

// The set rounded in the model, and as a tensor.
template <class T>
Tensor rounded(Set& set, const Model& model, double c) {
  auto n = static_cast<int64_t>(set.points.size()), d = static_cast<int64_t>(set.points[0].size());
  Tensor x = empty(Shape{n, d}, kDTypeOf<T>);
  T* to = x.data<T>();
  for (Vector& p : set.points) {
    p = model.lowered(p, c);
    for (Quad& e : p) e = *to++ = static_cast<T>(e);
    p = model.raised(p, c);
  }
  return x;
}
Tensor weights_of(const Set& set) {
  Tensor w = empty(Shape{static_cast<int64_t>(set.weights.size())}, DType::f32);
  for (size_t i = 0; i < set.weights.size(); ++i) {
    w.data<float>()[i] = static_cast<float>(set.weights[i]);
  }
  return w;
}

// Distances from the true midpoint in units of the spacing of T there.
template <class T>
void judge(const Model& model, std::initializer_list<double> radii) {
  Worst worst;
  for (double radius : radii) {
    const double unit = std::numeric_limits<T>::epsilon() / 2 * std::exp(radius);
    for (int d : {2, 3, 10, 24}) {
      for (double c : {0.1, 1.0, 10.0}) {
        for (Set& set : sets_at(radius, d, c)) {
          Tensor x = rounded<T>(set, model, c);
          const Vector got = row_of<T>(unsqueeze(model.midpoint(x, weights_of(set), c), 0), 0);
          const Sum sum(set, c);
          const Vector wanted = scaled(1 / sum.length, sum.space);
          const Quad h = half_way(model.raised(got, c), wanted, c);
          const double error = h == h ? static_cast<double>(2 * sqrt(h)) : INFINITY;
          worst.add(error / unit, {wanted, wanted, c, radius});
        }
      }
    }
  }
  worst.print(model.name, sizeof(T) == 4 ? "f32" : "f64");
  EXPECT_LE(worst.error, 2) << model.name;
}

TEST(MidpointOracle, BallF32) { judge<float>(kBall, {0.5, 2, 10, 14}); }
TEST(MidpointOracle, BallF64) { judge<double>(kBall, {0.5, 2, 10, 20, 35}); }
TEST(MidpointOracle, HyperboloidF32) { judge<float>(kLorentz, {0.5, 2, 10, 20, 36}); }
TEST(MidpointOracle, HyperboloidF64) { judge<double>(kLorentz, {0.5, 2, 10, 20, 36}); }

// By x, for the cotangent `to` of m = s / l: w (to - (<to, s> / l^2) (T x / t_x - s)) / l. Norms of
// cotangents are Riemannian.
TEST(MidpointOracle, GradientsF64) {
  const double c = 1;
  Worst worst;
  for (double radius : {0.5, 2.0, 10.0, 20.0}) {
    for (int d : {2, 3, 10}) {
      for (Set& set : sets_at(radius, d, c)) {
        Tensor x = rounded<double>(set, kLorentz, c).set_requires_grad();
        const Sum sum(set, c);
        const Quad length = sqrt(dot(sum.space, sum.space)), m = length / sum.length;
        Vector to = Rounded(5).direction(d);
        const Quad along = dot(to, sum.space) / (length * length);
        const Quad share = 1 / (length * sqrt(1 + m * m));
        to = combined(1, to, share - along, sum.space);
        Tensor g = empty(Shape{d}, DType::f64);
        for (int i = 0; i < d; ++i) {
          to[static_cast<size_t>(i)] = g.data<double>()[i] =
              static_cast<double>(to[static_cast<size_t>(i)]);
        }
        const Tensor results[] = {lorentz_midpoint(x, weights_of(set), c)}, cotangents[] = {g};
        backward(results, cotangents);
        Quad time = 0;
        for (size_t i = 0; i < set.points.size(); ++i) {
          time += set.weights[i] * sqrt(1 + dot(set.points[i], set.points[i]));
        }
        for (size_t i = 0; i < set.points.size(); ++i) {
          const Vector& p = set.points[i];
          auto size = [&](const Vector& e) {
            const Quad radial = dot(p, e);
            return sqrt(dot(e, e) + radial * radial);
          };
          const Quad w = set.weights[i] / sum.length;
          const Quad turn = w * dot(to, sum.space) / (sum.length * sum.length);
          Vector wanted = combined(turn, sum.space, -turn * time / sqrt(1 + dot(p, p)), p);
          wanted = combined(1, wanted, w, to);
          const Vector error = combined(1, row_of<double>(x.grad(), i), -1, wanted);
          const double unit = 0x1p-53 * std::exp(radius);
          worst.add(static_cast<double>(size(error) / size(wanted)) / unit, {p, p, c, radius});
        }
      }
    }
  }
  worst.print("hyperboloid", "by x");
  EXPECT_LE(worst.error, 8);
}

}  // namespace
}  // namespace gyre::oracle
#else
#include <gtest/gtest.h>
TEST(MidpointOracle, HyperboloidF64) { GTEST_SKIP() << "the compiler has no __float128"; }
#endif
