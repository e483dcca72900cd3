// Ops of the ball against the textbook formulas in 113 bits: values and gradients in f32 at every
// radius, near and far pairs, dimensions and curvatures. The worst errors are printed.
#if defined(__SIZEOF_FLOAT128__)
#include <gtest/gtest.h>

#include <cstdio>
#include <functional>
#include <map>
#include <random>

#include "gyre/autograd/backward.h"
#include "gyre/hyperbolic/ball.h"
#include "gyre/hyperbolic/lorentz.h"
#include "gyre/hyperbolic/oracle.h"
#include "gyre/ops/reduce/reduce.h"

namespace gyre::oracle {
namespace {

constexpr int kPoints = 2;  // of each kind

// A formula's result k x + l y, or for `scalar` the number k, by |x|^2, <x, y>, |y|^2 and c.
struct Combination {
  Jet k, l;
};
using Formula = Combination (*)(const Jet& xx, const Jet& xy, const Jet& yy, const Jet& c);
enum class Result { row, number };

Combination add(const Jet& xx, const Jet& xy, const Jet& yy, const Jet& c) {
  Jet d = 1 + 2 * c * xy + c * c * xx * yy;
  return {(1 + 2 * c * xy + c * yy) / d, (1 - c * xx) / d};
}
// |k x + l y|.
Jet length(const Combination& z, const Jet& xx, const Jet& xy, const Jet& yy) {
  return sqrt(z.k * z.k * xx + 2 * z.k * z.l * xy + z.l * z.l * yy);
}
Combination difference(const Jet& xx, const Jet& xy, const Jet& yy, const Jet& c) {
  Combination u = add(xx, -xy, yy, c);
  return {-u.k, u.l};
}
Combination dist(const Jet& xx, const Jet& xy, const Jet& yy, const Jet& c) {
  Jet s = sqrt(c);
  return {2 / s * artanh(s * length(difference(xx, xy, yy, c), xx, xy, yy)), 0};
}
Combination dist2(const Jet& xx, const Jet& xy, const Jet& yy, const Jet& c) {
  Jet d = dist(xx, xy, yy, c).k;
  return {d * d, 0};
}
Combination log(const Jet& xx, const Jet& xy, const Jet& yy, const Jet& c) {
  Jet s = sqrt(c);
  Combination u = difference(xx, xy, yy, c);
  Jet n = length(u, xx, xy, yy), m = (1 - c * xx) / s * artanh(s * n) / n;
  return {m * u.k, m * u.l};
}
Combination exp(const Jet& xx, const Jet& xv, const Jet& vv, const Jet& c) {
  Jet s = sqrt(c), n = sqrt(vv), w = tanh(s * n / (1 - c * xx)) / (s * n);
  Combination z = add(xx, w * xv, w * w * vv, c);
  return {z.k, z.l * w};
}
Combination exp0(const Jet& vv, const Jet&, const Jet&, const Jet& c) {
  Jet k = sqrt(c * vv);
  return {tanh(k) / k, 0};
}
Combination log0(const Jet& yy, const Jet&, const Jet&, const Jet& c) {
  Jet k = sqrt(c * yy);
  return {artanh(k) / k, 0};
}
Combination dist0(const Jet& yy, const Jet&, const Jet&, const Jet& c) {
  return {2 * artanh(sqrt(c * yy)) / sqrt(c), 0};
}

struct Case {
  Vector x, y;  // as rounded to f32
  double c, radius;
};

class Rounded {
 public:
  explicit Rounded(uint64_t seed) : bits_(seed) {}
  Vector direction(int d) {
    Vector v(static_cast<size_t>(d));
    for (Quad& e : v) e = normal_(bits_);
    Quad n = sqrt(dot(v, v));
    return combined(1 / n, v, 0, v);
  }
  static Vector of(const Vector& v) {
    Vector r;
    for (Quad e : v) r.push_back(static_cast<float>(e));
    return r;
  }

 private:
  std::mt19937_64 bits_;
  std::normal_distribution<double> normal_;
};

Vector at_radius(const Vector& direction, double radius, double c) {
  return combined(tanh(Jet(radius / 2)).v / sqrt(Quad(c)), direction, 0, direction);
}
bool inside(const Vector& x, double c) { return Quad(c) * dot(x, x) < 1; }

// Pairs of points: near, at some distance, independent, opposite; in f32, inside the ball.
std::vector<Case> pairs(int d) {
  std::vector<Case> cases;
  Rounded random(static_cast<uint64_t>(d));
  for (double c : {1e-3, 0.1, 1.0, 10.0}) {
    for (double radius : {0.01, 0.5, 1.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 13.0, 14.0}) {
      for (double apart : {1e-6, 1e-3, 0.1, 2.0, -1.0, -2.0}) {
        for (int i = 0; i < kPoints; ++i) {
          Vector to = random.direction(d), x = Rounded::of(at_radius(to, radius, c)), y;
          if (apart > 0) {
            Vector s = at_radius(random.direction(d), apart, c);
            Combination z = add(dot(x, x), dot(x, s), dot(s, s), c);
            y = combined(z.k.v, x, z.l.v, s);
          } else {
            Vector other = apart == -1 ? random.direction(d) : combined(-1, to, 0, to);
            y = at_radius(other, radius * (i ? 1 : 0.7), c);
          }
          y = Rounded::of(y);
          if (inside(x, c) && inside(y, c) && x != y) cases.push_back({x, y, c, radius});
        }
      }
    }
  }
  return cases;
}

// Tangent vectors in place of the second points: those that lead to them, rounded.
std::vector<Case> with_tangents(std::vector<Case> cases) {
  for (Case& k : cases) {
    Combination z = log(dot(k.x, k.x), dot(k.x, k.y), dot(k.y, k.y), k.c);
    k.y = Rounded::of(combined(z.k.v, k.x, z.l.v, k.y));
  }
  return cases;
}
// The first points only, as tangent vectors of their radius where wanted.
std::vector<Case> alone(std::vector<Case> cases, bool tangents) {
  for (Case& k : cases) {
    if (!tangents) continue;
    Quad n = sqrt(dot(k.x, k.x));
    k.x = Rounded::of(combined(Quad(k.radius / 2) / sqrt(Quad(k.c)) / n, k.x, 0, k.x));
  }
  return cases;
}

template <class T>
Tensor rows_of(const std::vector<Case>& cases, const Vector Case::*part) {
  auto n = static_cast<int64_t>(cases.size()), d = static_cast<int64_t>(cases[0].x.size());
  Tensor t = empty(Shape{n, d}, kDTypeOf<T>);
  T* to = t.data<T>();
  for (const Case& k : cases) {
    for (Quad e : k.*part) *to++ = static_cast<T>(e);
  }
  return t;
}
template <class T>
Vector row_of(const Tensor& t, size_t row) {
  auto d = static_cast<size_t>(t.numel() / t.shape()[0]);
  const T* from = t.data<T>() + row * d;
  return Vector(from, from + d);
}

struct Worst {
  double error = 0, radius = 0, c = 0;
  int d = 0;
  void add(double e, const Case& k) {
    if (!(e > error)) return;
    *this = {e, k.radius, k.c, static_cast<int>(k.x.size())};
  }
};

// Whether the result or the second operand is a tangent vector.
enum class Kind { points, to_tangent, by_tangent };

struct Subject {
  const char* name;
  std::function<Tensor(const Tensor&, const Tensor&, const Tensor&)> op;
  Formula formula;
  Result result;
  bool two;  // points
  Kind kind;
  std::function<std::vector<Case>(std::vector<Case>)> cases;
};

Vector by_c(const Combination& f, const Case& k) { return combined(f.k.d[3], k.x, f.l.d[3], k.y); }

// Runs the op on all cases of a dimension and joins errors: value, by x, by y, by c.
void judge(const Subject& s, int d, Worst (&worst)[4]) {
  std::vector<Case> cases = s.cases(pairs(d));
  Tensor x = rows_of<float>(cases, &Case::x), y = rows_of<float>(cases, &Case::y);
  Tensor c = empty(Shape{x.shape()[0]}, DType::f64);
  for (size_t i = 0; i < cases.size(); ++i) c.data<double>()[i] = cases[i].c;
  for (Tensor* t : {&x, &y, &c}) t->set_requires_grad();
  Tensor z = s.op(x, y, c);
  Tensor g = empty(z.shape(), DType::f32);
  Rounded random(7);
  for (int64_t i = 0, n = z.shape()[0], width = z.numel() / n; i < n; ++i) {
    Vector to = random.direction(static_cast<int>(width));
    for (int64_t j = 0; j < width; ++j) {
      g.data<float>()[i * width + j] = static_cast<float>(to[static_cast<size_t>(j)]);
    }
  }
  Tensor results[] = {z}, cotangents[] = {g};
  backward(results, cotangents);
  for (size_t i = 0; i < cases.size(); ++i) {
    const Case& k = cases[i];
    Combination f = s.formula(Jet(dot(k.x, k.x), 0), Jet(dot(k.x, k.y), 1), Jet(dot(k.y, k.y), 2),
                              Jet(Quad(k.c), 3));
    Vector h = row_of<float>(g, i);
    bool row = s.result == Result::row;
    Vector value = row ? combined(f.k.v, k.x, f.l.v, k.y) : Vector{f.k.v};
    Jet l = row ? f.k * Jet(dot(h, k.x)) + f.l * Jet(dot(h, k.y)) : f.k * Jet(h[0]);
    Vector gx = combined(2 * l.d[0], k.x, l.d[1], k.y), gy = combined(2 * l.d[2], k.y, l.d[1], k.x);
    if (row) {
      gx = combined(1, gx, f.k.v, h);
      gy = combined(1, gy, f.l.v, h);
    }
    worst[0].add(relative_error(row_of<float>(z, i), value), k);
    worst[1].add(relative_error(row_of<float>(x.grad(), i), gx), k);
    if (s.two) worst[2].add(relative_error(row_of<float>(y.grad(), i), gy), k);
    // by c, relative to the derivative of the whole result, of which g picks one direction, and for
    // tangent vectors to a part of their length: beside the origin of theirs little depends on c
    Quad size = row ? sqrt(dot(by_c(f, k), by_c(f, k))) : abs(f.k.d[3]);
    const Vector& tangent = s.kind == Kind::to_tangent ? value : k.y;
    if (s.kind != Kind::points) size += sqrt(dot(tangent, tangent)) / k.c;
    Quad error = abs(row_of<double>(c.grad(), i)[0] - l.d[3]);
    worst[3].add(error > kNothing ? static_cast<double>(error / size) : 0, k);
  }
}

class BallOracle : public ::testing::TestWithParam<Subject> {};

TEST_P(BallOracle, F32) {
  const Subject& s = GetParam();
  Worst worst[4];
  for (int d : {2, 3, 10, 128}) judge(s, d, worst);
  const char* what[] = {"value", "by x", "by y", "by c"};
  for (int i = 0; i < 4; ++i) {
    std::printf("%-6s %-6s worst relative error %8.1e at radius %4.2f, d = %3d, c = %g\n", s.name,
                what[i], worst[i].error, worst[i].radius, worst[i].d, worst[i].c);
    EXPECT_LE(worst[i].error, i ? 5e-6 : 1e-6) << what[i];
  }
}

auto as_they_are = [](std::vector<Case> k) { return k; };
auto points = [](std::vector<Case> k) { return alone(std::move(k), false); };
auto tangents = [](std::vector<Case> k) { return alone(std::move(k), true); };

template <Tensor (*f)(const Tensor&, const Tensor&, const AxisAttrs&)>
Tensor by_x(const Tensor& x, const Tensor&, const Tensor& c) {
  return f(x, c, {});
}

const Subject kSubjects[] = {
    {"add", [](auto& x, auto& y, auto& c) { return poincare_add(x, y, c); }, add, Result::row, true,
     Kind::points, as_they_are},
    {"dist", [](auto& x, auto& y, auto& c) { return poincare_dist(x, y, c); }, dist, Result::number,
     true, Kind::points, as_they_are},
    {"dist2", [](auto& x, auto& y, auto& c) { return poincare_dist2(x, y, c); }, dist2,
     Result::number, true, Kind::points, as_they_are},
    {"log", [](auto& x, auto& y, auto& c) { return poincare_log(x, y, c); }, log, Result::row, true,
     Kind::to_tangent, as_they_are},
    {"exp", [](auto& x, auto& v, auto& c) { return poincare_exp(x, v, c); }, exp, Result::row, true,
     Kind::by_tangent, with_tangents},
    {"exp0", by_x<poincare_exp0>, exp0, Result::row, false, Kind::points, tangents},
    {"log0", by_x<poincare_log0>, log0, Result::row, false, Kind::points, points},
    {"dist0", [](auto& x, auto&, auto& c) { return poincare_dist0(x, c); }, dist0, Result::number,
     false, Kind::points, points},
};
// The distance on the hyperboloid by lengths and directions, and its gradient by a,
// -(b - (t_b / t_a) a) sqrt(c) / sinh(sqrt(c) d).
struct Lorentz {
  Quad distance;
  Vector by_a;
};
Lorentz lorentz(const Vector& a, const Vector& b, double curvature) {
  Quad c = curvature, s = sqrt(c), na = s * sqrt(dot(a, a)), nb = s * sqrt(dot(b, b));
  Vector apart = combined(s / na, a, -s / nb, b);
  Quad ta = sqrt(1 + na * na), tb = sqrt(1 + nb * nb);
  Quad radial = (na * na - nb * nb) / (na * tb + nb * ta);  // sinh of the lengths' difference
  Quad h =
      radial * radial / (2 * (1 + sqrt(1 + radial * radial))) + na * nb * dot(apart, apart) / 4;
  Quad root = sqrt(h), d = 2 * oracle::log(root + sqrt(h + 1)), sinh_d = 2 * root * sqrt(1 + h);
  return {d / s, combined(tb / ta * s / sinh_d, a, -s / sinh_d, b)};
}

TEST(LorentzOracle, DistanceF32) {
  Worst worst[3];
  for (int d : {2, 3, 10, 128}) {
    std::vector<Case> cases;
    Rounded random(static_cast<uint64_t>(d));
    for (double c : {1e-3, 0.1, 1.0, 10.0}) {
      for (double radius : {0.01, 0.5, 2.0, 4.0, 8.0, 14.0, 20.0, 30.0, 40.0}) {
        for (double apart : {1e-3, 0.1, 2.0, -1.0}) {
          for (int i = 0; i < kPoints; ++i) {
            Vector u = random.direction(d), v = random.direction(d);
            Quad along = dot(u, v), s = sqrt(Quad(c)), r = radius, t = apart;
            Vector a = combined(sinh(Jet(r)).v / s, u, 0, u);
            // exp_a of the length `apart` by v, whose part along u is a boost's
            Vector b = combined(
                (sinh(Jet(r)).v * cosh(Jet(t)).v + (cosh(Jet(r)).v - 1) * along * sinh(Jet(t)).v) /
                    s,
                u, sinh(Jet(t)).v / s, v);
            if (apart < 0) b = combined(sinh(Jet(r)).v / s, v, 0, v);
            cases.push_back({Rounded::of(a), Rounded::of(b), c, radius});
            if (cases.back().x == cases.back().y) cases.pop_back();
          }
        }
      }
    }
    Tensor x = rows_of<float>(cases, &Case::x), y = rows_of<float>(cases, &Case::y);
    Tensor c = empty(Shape{x.shape()[0]}, DType::f64);
    for (size_t i = 0; i < cases.size(); ++i) c.data<double>()[i] = cases[i].c;
    x.set_requires_grad();
    y.set_requires_grad();
    Tensor z = lorentz_dist(x, y, c);
    sum(z).backward();
    for (size_t i = 0; i < cases.size(); ++i) {
      const Case& k = cases[i];
      worst[0].add(relative_error(row_of<float>(z, i), {lorentz(k.x, k.y, k.c).distance}), k);
      if (k.radius > 14) continue;
      worst[1].add(relative_error(row_of<float>(x.grad(), i), lorentz(k.x, k.y, k.c).by_a), k);
      worst[2].add(relative_error(row_of<float>(y.grad(), i), lorentz(k.y, k.x, k.c).by_a), k);
    }
  }
  const char* what[] = {"value", "by x", "by y"};
  for (int i = 0; i < 3; ++i) {
    std::printf("lorentz_dist %-6s worst relative error %8.1e at radius %4.2f, d = %3d, c = %g\n",
                what[i], worst[i].error, worst[i].radius, worst[i].d, worst[i].c);
    EXPECT_LE(worst[i].error, i ? 5e-6 : 1e-6) << what[i];
  }
}

INSTANTIATE_TEST_SUITE_P(All, BallOracle, ::testing::ValuesIn(kSubjects),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace gyre::oracle
#else
#include <gtest/gtest.h>
TEST(BallOracle, F32) { GTEST_SKIP() << "the compiler has no __float128"; }
#endif
