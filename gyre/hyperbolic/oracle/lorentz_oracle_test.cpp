// Distances on the hyperboloid and their gradients against 113-bit formulas by norms and
// directions, at every radius and for pairs of different radii.
#if defined(__SIZEOF_FLOAT128__)
#include <gtest/gtest.h>

#include "gyre/autograd/backward.h"
#include "gyre/hyperbolic/lorentz/lorentz.h"
#include "gyre/hyperbolic/oracle/oracle_angles.h"
#include "gyre/hyperbolic/oracle/oracle_cases.h"
#include "gyre/ops/reduce/reduce.h"
#include "tests/fewer.h"

namespace gyre::oracle {
namespace {

// The distance, its gradient by a, -(b - (t_b / t_a) a) sqrt(c) / sinh(sqrt(c) d), and by c.
struct Distance {
  Quad value;
  Vector by_a;
  Quad by_c;
};
Distance distance(const Vector& a, const Vector& b, double curvature) {
  Vector bent = across(a, b);
  Quad na = sqrt(dot(a, a)), nb = sqrt(dot(b, b)), less = apart_of(a, b, bent) / 2;
  Jet c(Quad(curvature), 0);
  Jet h = half_angle(c, dot(a, a), dot(b, b), 2 * less), root = sqrt(h);
  Jet d = 2 * log(root + sqrt(h + 1)) / sqrt(c);
  Quad s = sqrt(c.v), ta = sqrt(1 + c.v * na * na), tb = sqrt(1 + c.v * nb * nb);
  // b - (t_b / t_a) a: component of b orthogonal to a, and nb cosine - na tb / ta along a
  Quad along = (nb * nb - na * na) / (na * ta * (nb * ta + na * tb)) - nb / na * less;
  Quad k = -s / (2 * root.v * sqrt(1 + h.v));
  return {d.v, combined(k, bent, k * along, a), d.d[0]};
}

Vector lorentz_at_radius(const Vector& direction, double radius, double c) {
  return Rounded::of(combined(sinh(Jet(radius)).v / sqrt(Quad(c)), direction, 0, direction));
}
// Exponential map of a vector of that length along v at the point in direction u.
Vector stepped(const Vector& u, const Vector& v, double radius, double length, double c) {
  Jet r(radius), t(length);
  Quad along = dot(u, v), s = sqrt(Quad(c));
  Quad by_u = sinh(r).v * cosh(t).v + (cosh(r).v - 1) * along * sinh(t).v;
  return Rounded::of(combined(by_u / s, u, sinh(t).v / s, v));
}

std::vector<Case> cases_of(int d) {
  std::vector<Case> cases;
  Rounded random(static_cast<uint64_t>(d));
  for (double c : {1e-3, 0.1, 1.0, 10.0}) {
    for (double radius : {0.01, 0.5, 2.0, 4.0, 8.0, 14.0, 20.0, 30.0, 40.0}) {
      for (int i = 0; i < kPoints; ++i) {
        Vector u = random.direction(d), v = random.direction(d),
               x = lorentz_at_radius(u, radius, c);
        auto add = [&](const Vector& y) {
          if (x == y) return;
          cases.push_back({x, y, c, radius});
          cases.push_back({y, x, c, radius});
        };
        for (double apart : {1e-3, 0.1, 2.0}) add(stepped(u, v, radius, apart, c));
        for (double part : {1.0, 0.7, 0.1, 1e-3}) add(lorentz_at_radius(v, part * radius, c));
        add(lorentz_at_radius(combined(-1, u, 0, u), radius, c));
        add(Rounded::of(combined(1.5, x, 0, x)));  // collinear with the origin, or nearly
      }
    }
  }
  return cases;
}

// The point at t as k x + l y with k = sinh((1 - t) D) / sinh(D), l = sinh(t D) / sinh(D), by
// |x|^2, |y|^2, `apart` = 2 - 2 cos of the angle, c and t.
struct Path {
  Jet k, l;
};
Path path(const Jet& xx, const Jet& yy, const Jet& apart, const Jet& c, const Jet& t) {
  Jet h = half_angle(c, xx, yy, apart), way = 2 * log(sqrt(h) + sqrt(h + 1));
  return {sinh((1 - t) * way) / sinh(way), sinh(t * way) / sinh(way)};
}

std::vector<Case> cases_up_to(double radius, int d) {
  std::vector<Case> some;
  for (const Case& k : cases_of(d)) {
    if (k.radius <= radius) some.push_back(k);
  }
  return some;
}
// Two directions per case.
std::vector<Case> directions(const std::vector<Case>& cases) {
  std::vector<Case> all(cases);
  Rounded random(7);
  for (Case& k : all) {
    const int d = static_cast<int>(k.x.size());
    k.x = Rounded::of(random.direction(d));
    k.y = Rounded::of(random.direction(d));
  }
  return all;
}

TEST(LorentzOracle, GeodesicF32) {
  const char* what[] = {"value", "by x", "by y", "by c", "by t"};
  Worst worst[5];
  for (int d : {2, 3, 10, 40}) {
    std::vector<Case> cases = cases_up_to(20, d);
    const double places[] = {0.1, 0.3, 0.6, 0.9};
    for (size_t i = 0; i < cases.size(); ++i) cases[i].t = places[i % 4];
    const std::vector<Case> cotangents = directions(cases);
    Tensor x = rows_of<float>(cases, &Case::x), y = rows_of<float>(cases, &Case::y);
    Tensor c = numbers_of(cases, &Case::c), t = numbers_of(cases, &Case::t);
    for (Tensor* leaf : {&x, &y, &c, &t}) leaf->set_requires_grad();
    Tensor z = lorentz_geodesic(x, y, t, c);
    const Tensor results[] = {z}, along[] = {rows_of<float>(cotangents, &Case::x)};
    backward(results, along);
    for (size_t i = 0; i < cases.size(); ++i) {
      const Case& k = cases[i];
      const Vector& h = cotangents[i].x;
      const Quad xx = dot(k.x, k.x), yy = dot(k.y, k.y);
      const Vector bent = across(k.x, k.y);
      Path p = path(Jet(xx, 0), Jet(yy, 1), Jet(apart_of(k.x, k.y, bent), 2), Jet(Quad(k.c), 3),
                    Jet(Quad(k.t), 4));
      Jet l = p.k * Jet(dot(h, k.x)) + p.l * Jet(dot(h, k.y));
      const Quad bending = -2 * l.d[2] / sqrt(xx * yy);
      auto gradient = [&](const Vector& a, Quad by_square, Quad share, const Vector& across_a) {
        return combined(1, combined(2 * by_square, a, share, h), bending, across_a);
      };
      auto by = [&](int variable) {
        Vector e = combined(p.k.d[variable], k.x, p.l.d[variable], k.y);
        return sqrt(dot(e, e));
      };
      worst[0].add(relative_error(row_of<float>(z, i), combined(p.k.v, k.x, p.l.v, k.y)), k);
      worst[1].add(relative_error(row_of<float>(x.grad(), i), gradient(k.x, l.d[0], p.k.v, bent)),
                   k);
      worst[2].add(relative_error(row_of<float>(y.grad(), i),
                                  gradient(k.y, l.d[1], p.l.v, across(k.y, k.x))),
                   k);
      // by c relative to the distance where the dependence is small, as in oracle_test.cpp
      Quad error = abs(row_of<double>(c.grad(), i)[0] - l.d[3]);
      worst[3].add(static_cast<double>(error / (by(3) + by(4) / k.c)), k);
      error = abs(row_of<double>(t.grad(), i)[0] - l.d[4]);
      worst[4].add(static_cast<double>(error / by(4)), k);
    }
  }
  for (int i = 0; i < 5; ++i) {
    worst[i].print("lorentz_geodesic", what[i]);
    EXPECT_LE(worst[i].error, i ? 5e-6 : 1e-6) << what[i];
  }
}

// Derivatives of lorentz_dist's gradients along directions of x and y against 113-bit finite
// differences of the formula's gradients; without points collinear with the origin, see lorentz.h.
TEST(LorentzOracle, SecondDerivativesF32) {
  constexpr double kNear = 8, kLeastAngle = 1e-7;
  Worst worst[4];  // near and far pairs, by x and y
  for (int d : {2, 3, 10, 40}) {
    std::vector<Case> cases = cases_up_to(14, d);
    std::erase_if(cases, [](const Case& k) {
      const Vector bent = across(k.x, k.y);
      return dot(bent, bent) < Quad(kLeastAngle * kLeastAngle) * dot(k.y, k.y);
    });
    const std::vector<Case> along = directions(cases);
    Tensor x = rows_of<float>(cases, &Case::x), y = rows_of<float>(cases, &Case::y);
    for (Tensor* leaf : {&x, &y}) leaf->set_requires_grad();
    const Tensor leaves[] = {x, y};
    const Tensor distances[] = {sum(lorentz_dist(x, y, numbers_of(cases, &Case::c)))};
    Tensors first = grad(distances, leaves, {}, {.create_graph = true});
    const Tensor both[] = {rows_of<float>(along, &Case::x), rows_of<float>(along, &Case::y)};
    backward(first, both);
    for (size_t i = 0; i < cases.size(); ++i) {
      const Case& k = cases[i];
      const Vector e = combined(1, k.x, -1, k.y);
      Quad least = dot(e, e);
      for (Quad other : {dot(k.x, k.x), dot(k.y, k.y), 1 / Quad(k.c)}) {
        if (other < least) least = other;
      }
      const Quad step = Quad(1e-8) * sqrt(least);
      auto second = [&](bool of_y) {
        Vector ends[2];
        for (int side : {-1, 1}) {
          Vector a = combined(1, k.x, side * step, along[i].x);
          Vector b = combined(1, k.y, side * step, along[i].y);
          ends[side > 0] = of_y ? distance(b, a, k.c).by_a : distance(a, b, k.c).by_a;
        }
        return combined(1 / (2 * step), ends[1], -1 / (2 * step), ends[0]);
      };
      Worst* to = worst + (k.radius <= kNear ? 0 : 2);
      to[0].add(relative_error(row_of<float>(x.grad(), i), second(false)), k);
      to[1].add(relative_error(row_of<float>(y.grad(), i), second(true)), k);
    }
  }
  for (int i = 0; i < 4; ++i) {
    worst[i].print("lorentz_dist", i % 2 ? "twice, y" : "twice, x");
    EXPECT_LE(worst[i].error, i < 2 ? 5e-6 : 5e-4);
  }
}

TEST(LorentzOracle, DistanceF32) {
  Worst worst[4];
  for (int d : fewer_of(std::vector{2, 3, 10, 128})) {
    std::vector<Case> cases = cases_of(d);
    Tensor x = rows_of<float>(cases, &Case::x), y = rows_of<float>(cases, &Case::y);
    Tensor c = numbers_of(cases, &Case::c);
    for (Tensor* leaf : {&x, &y, &c}) leaf->set_requires_grad();
    Tensor z = lorentz_dist(x, y, c);
    sum(z).backward();
    for (size_t i = 0; i < cases.size(); ++i) {
      const Case& k = cases[i];
      Distance one = distance(k.x, k.y, k.c), other = distance(k.y, k.x, k.c);
      worst[0].add(relative_error(row_of<float>(z, i), {one.value}), k);
      worst[1].add(relative_error(row_of<float>(x.grad(), i), one.by_a), k);
      worst[2].add(relative_error(row_of<float>(y.grad(), i), other.by_a), k);
      worst[3].add(relative_error(row_of<double>(c.grad(), i), {one.by_c}), k);
    }
  }
  const char* what[] = {"value", "by x", "by y", "by c"};
  for (int i = 0; i < 4; ++i) {
    worst[i].print("lorentz_dist", what[i]);
    EXPECT_LE(worst[i].error, i ? 5e-6 : 1e-6) << what[i];
  }
}

}  // namespace
}  // namespace gyre::oracle
#else
#include <gtest/gtest.h>
TEST(LorentzOracle, DistanceF32) { GTEST_SKIP() << "the compiler has no __float128"; }
#endif
