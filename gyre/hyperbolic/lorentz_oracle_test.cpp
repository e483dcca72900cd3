// The distance on the hyperboloid, and its gradients, against formulas by lengths and directions in
// 113 bits, at every radius and for pairs of different radii.
#if defined(__SIZEOF_FLOAT128__)
#include <gtest/gtest.h>

#include "gyre/autograd/backward.h"
#include "gyre/hyperbolic/lorentz.h"
#include "gyre/hyperbolic/oracle_cases.h"
#include "gyre/ops/reduce/reduce.h"

namespace gyre::oracle {
namespace {

// The distance, its gradient by a, -(b - (t_b / t_a) a) sqrt(c) / sinh(sqrt(c) d), and by c.
struct Distance {
  Quad value;
  Vector by_a;
  Quad by_c;
};
// By lengths na, nb as sinh of the radius, and directions: h = sinh^2(sqrt(c) d / 2).
Jet half_angle(const Jet& c, Quad aa, Quad bb, Quad apart) {
  Jet na = sqrt(c * Jet(aa)), nb = sqrt(c * Jet(bb));
  Jet ta = sqrt(1 + na * na), tb = sqrt(1 + nb * nb);
  Jet radial = (na * na - nb * nb) / (na * tb + nb * ta);  // sinh of the radii's difference
  return radial * radial / (2 * (1 + sqrt(1 + radial * radial))) + na * nb * Jet(apart) / 4;
}
// b across a: sum_j a_j (a_j b_i - a_i b_j) / |a|^2, whose differences have no error for numbers of
// f32.
Vector across(const Vector& a, const Vector& b) {
  Vector r(a.size());
  Quad aa = dot(a, a);
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t j = 0; j < a.size(); ++j) r[i] += a[j] * (a[j] * b[i] - a[i] * b[j]);
    r[i] = r[i] / aa;
  }
  return r;
}
Distance distance(const Vector& a, const Vector& b, double curvature) {
  Quad na = sqrt(dot(a, a)), nb = sqrt(dot(b, b)), cosine = dot(a, b) / (na * nb);
  Vector bent = across(a, b);
  Quad less = dot(bent, bent) / (nb * nb) / (1 + abs(cosine));  // 1 - |cosine|
  if (cosine < 0) less = 2 - less;
  Jet c(Quad(curvature), 0);
  Jet h = half_angle(c, dot(a, a), dot(b, b), 2 * less), root = sqrt(h);
  Jet d = 2 * log(root + sqrt(h + 1)) / sqrt(c);
  Quad s = sqrt(c.v), ta = sqrt(1 + c.v * na * na), tb = sqrt(1 + c.v * nb * nb);
  // b - (t_b / t_a) a is b across a and nb cosine - na tb / ta along it
  Quad along = (nb * nb - na * na) / (na * ta * (nb * ta + na * tb)) - nb / na * less;
  Quad k = -s / (2 * root.v * sqrt(1 + h.v));
  return {d.v, combined(k, bent, k * along, a), d.d[0]};
}

Vector lorentz_at_radius(const Vector& direction, double radius, double c) {
  return Rounded::of(combined(sinh(Jet(radius)).v / sqrt(Quad(c)), direction, 0, direction));
}
// exp of a vector of that length by v at the point in direction u.
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
        add(Rounded::of(combined(1.5, x, 0, x)));  // on one line with the origin, or nearly
      }
    }
  }
  return cases;
}

TEST(LorentzOracle, DistanceF32) {
  Worst worst[4];
  for (int d : {2, 3, 10, 128}) {
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
