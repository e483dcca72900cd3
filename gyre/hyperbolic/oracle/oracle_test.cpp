// Ops of the two balls against the textbook formulas in 113 bits: values and gradients in f32 at
// every radius, for near and far pairs, dimensions and curvatures. Prints the largest errors.
#if defined(__SIZEOF_FLOAT128__)
#include <gtest/gtest.h>

#include <functional>

#include "gyre/autograd/backward.h"
#include "gyre/hyperbolic/ball/ball.h"
#include "gyre/hyperbolic/klein/klein.h"
#include "gyre/hyperbolic/nn/rows/product_rows.h"
#include "gyre/hyperbolic/oracle/oracle_cases.h"

namespace gyre::oracle {
namespace {

// A formula's result k x + l y, or for `number` k, as a function of |x|^2, <x, y>, |y|^2, c and t.
struct Combination {
  Jet k, l;
};
using Formula = std::function<Combination(const Jet& xx, const Jet& xy, const Jet& yy, const Jet& c,
                                          const Jet& t)>;
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

Combination geodesic(const Jet& xx, const Jet& xy, const Jet& yy, const Jet& c, const Jet& t) {
  Combination u = difference(xx, xy, yy, c);
  Jet n = sqrt(c) * length(u, xx, xy, yy), m = tanh(t * artanh(n)) / n;
  Jet xw = m * (u.k * xx + u.l * xy), ww = m * m * n * n / c;
  Combination z = add(xx, xw, ww, c);
  return {z.k + z.l * m * u.k, z.l * m * u.l};
}
// cosh D = p / sqrt(ab) with p = 1 - c<x, y>; sinh^2(D / 2) = (cosh D - 1) / 2.
Combination klein_distance(const Jet& xx, const Jet& xy, const Jet& yy, const Jet& c) {
  Jet ab = (1 - c * xx) * (1 - c * yy), root = sqrt(ab), p = 1 - c * xy;
  Jet less = (p * p - ab) / (root * (p + root)), h = sqrt(less / 2);
  return {2 / sqrt(c) * log(h + sqrt(1 + less / 2)), 0};
}
// The ends weighted in proportion to sinh((1 - t) D) / sqrt(a) and sinh(t D) / sqrt(b).
Combination klein_path(const Jet& xx, const Jet& xy, const Jet& yy, const Jet& c, const Jet& t) {
  Jet way = sqrt(c) * klein_distance(xx, xy, yy, c).k;
  Jet from = sinh((1 - t) * way) / sqrt(1 - c * xx), to = sinh(t * way) / sqrt(1 - c * yy);
  return {from / (from + to), to / (from + to)};
}
// x is a tangent vector at the origin; the bias y is a point or a tangent vector.
Combination exp0_add(const Jet& vv, const Jet& vb, const Jet& bb, const Jet& c) {
  Jet w = exp0(vv, vb, bb, c).k;
  Combination z = add(w * w * vv, w * vb, bb, c);
  return {z.k * w, z.l};
}
Combination exp0_add_exp0(const Jet& vv, const Jet& vb, const Jet& bb, const Jet& c) {
  Jet m = exp0(bb, vb, vv, c).k;
  Combination z = exp0_add(vv, m * vb, m * m * bb, c);
  return {z.k, z.l * m};
}

Vector at_radius(const Vector& direction, double radius, double c) {
  return combined(tanh(Jet(radius / 2)).v / sqrt(Quad(c)), direction, 0, direction);
}
bool inside(const Vector& x, double c) { return Quad(c) * dot(x, x) < 1; }

// Pairs of points: near, at moderate distance, independent, opposite; in f32, inside the ball.
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

// Tangent vectors instead of the second points: their logarithmic maps, rounded.
std::vector<Case> with_tangents(std::vector<Case> cases) {
  for (Case& k : cases) {
    Combination z = log(dot(k.x, k.x), dot(k.x, k.y), dot(k.y, k.y), k.c);
    k.y = Rounded::of(combined(z.k.v, k.x, z.l.v, k.y));
  }
  return cases;
}
// The first points only, optionally as tangent vectors of the same radius.
std::vector<Case> alone(std::vector<Case> cases, bool tangents) {
  for (Case& k : cases) {
    if (!tangents) continue;
    Quad n = sqrt(dot(k.x, k.x));
    k.x = Rounded::of(combined(Quad(k.radius / 2) / sqrt(Quad(k.c)) / n, k.x, 0, k.x));
  }
  return cases;
}

// Whether the second operand moves away from the origin or towards it.
enum class Way { on, back };
// The first points as tangent vectors, optionally the second as well; only sums that are neither
// clipped at the boundary nor at the origin.
std::vector<Case> sums(const std::vector<Case>& cases, bool both, Way way) {
  constexpr double kLeast = 0.01, kMost = 1 - 0x1p-21;
  std::vector<Case> some;
  for (size_t i = 0; i < 2 * cases.size(); ++i) {
    Case k = cases[i / 2];
    k.y = combined(i % 2 ? -1 : 1, k.y, 0, k.y);
    const Combination z = add(dot(k.x, k.x), dot(k.x, k.y), dot(k.y, k.y), k.c);
    const Vector sum = combined(z.k.v, k.x, z.l.v, k.y);
    const Quad at = Quad(k.c) * dot(sum, sum);
    if (at < kLeast * kLeast || at >= kMost * kMost) continue;
    if ((dot(k.x, k.y) < 0) != (way == Way::back)) continue;
    auto lifted = [&](const Vector& x) {
      return Rounded::of(combined(log0(dot(x, x), 0, 0, k.c).k.v, x, 0, x));
    };
    k.x = lifted(k.x);
    if (both) k.y = lifted(k.y);
    some.push_back(k);
  }
  return some;
}

// Whether the result or the second operand is a tangent vector, or the result is a point at t on
// the geodesic.
enum class Kind { points, to_tangent, by_tangent, between };

struct Subject {
  const char* name;
  std::function<Tensor(const Tensor&, const Tensor&, const Tensor&, const Tensor&)> op;
  Formula formula;
  Result result;
  bool two;  // points
  Kind kind;
  std::function<std::vector<Case>(std::vector<Case>)> cases;
  double gradients = 5e-6;
};

// Norm of the derivative by a number.
Quad by_number(const Combination& f, const Case& k, int i) {
  Vector d = combined(f.k.d[i], k.x, f.l.d[i], k.y);
  return sqrt(dot(d, d));
}

constexpr const char* kWhat[] = {"value", "by x", "by y", "by c", "by t"};
constexpr int kCounts = 5;

// Runs the op on all cases of a dimension and collects errors.
void judge(const Subject& s, int d, Worst (&worst)[kCounts]) {
  std::vector<Case> cases = s.cases(pairs(d));
  Tensor x = rows_of<float>(cases, &Case::x), y = rows_of<float>(cases, &Case::y);
  Tensor c = numbers_of(cases, &Case::c), t = numbers_of(cases, &Case::t);
  for (Tensor* leaf : {&x, &y, &c, &t}) leaf->set_requires_grad();
  Tensor z = s.op(x, y, c, t);
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
                              Jet(Quad(k.c), 3), Jet(Quad(k.t), 4));
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
    // by c and t relative to the derivative of the whole result, of which g picks one direction,
    // and for tangent vectors to a fraction of their norm, since near the origin they hardly depend
    // on c; a point between two near points likewise, relative to a fraction of their distance
    const Vector& tangent = s.kind == Kind::to_tangent ? value : k.y;
    Quad size = row ? by_number(f, k, 3) : abs(f.k.d[3]);
    if (s.kind == Kind::between) size += by_number(f, k, 4) / k.c;
    if (s.kind == Kind::to_tangent || s.kind == Kind::by_tangent) {
      size += sqrt(dot(tangent, tangent)) / k.c;
    }
    Quad error = abs(row_of<double>(c.grad(), i)[0] - l.d[3]);
    worst[3].add(error <= kNothing ? 0 : static_cast<double>(error / size), k);
    if (s.kind != Kind::between) continue;
    error = abs(row_of<double>(t.grad(), i)[0] - l.d[4]);
    worst[4].add(static_cast<double>(error / by_number(f, k, 4)), k);
  }
}

class Oracle : public ::testing::TestWithParam<Subject> {};

TEST_P(Oracle, F32) {
  const Subject& s = GetParam();
  Worst worst[kCounts];
  for (int d : {2, 3, 10, 128}) judge(s, d, worst);
  for (int i = 0; i < kCounts; ++i) {
    if (worst[i].d) worst[i].print(s.name, kWhat[i]);
    EXPECT_LE(worst[i].error, i ? s.gradients : 1e-6) << kWhat[i];
  }
}

auto as_they_are = [](std::vector<Case> k) { return k; };
auto points = [](std::vector<Case> k) { return alone(std::move(k), false); };
auto tangents = [](std::vector<Case> k) { return alone(std::move(k), true); };
template <bool both, Way way>
std::vector<Case> sums(std::vector<Case> k) {
  return sums(k, both, way);
}

// At several t; at t = 0.5 opposite points give 0, which has no relative error.
std::vector<Case> between(std::vector<Case> cases) {
  const double places[] = {0.1, 0.3, 0.6, 0.9};
  for (size_t i = 0; i < cases.size(); ++i) cases[i].t = places[i % 4];
  return cases;
}

template <auto f>
Tensor by_x(const Tensor& x, const Tensor&, const Tensor& c, const Tensor&) {
  return f(x, c, {});
}
template <auto f>
Tensor by_two(const Tensor& x, const Tensor& y, const Tensor& c, const Tensor&) {
  return f(x, y, c, {});
}
template <auto f>
Tensor at_t(const Tensor& x, const Tensor& y, const Tensor& c, const Tensor& t) {
  return f(x, y, t, c, {});
}
Formula without_t(Combination (*f)(const Jet&, const Jet&, const Jet&, const Jet&)) {
  return [f](const Jet& xx, const Jet& xy, const Jet& yy, const Jet& c, const Jet&) {
    return f(xx, xy, yy, c);
  };
}

// For exp0_add, where terms in |v|^2, <v, b> and |b|^2 larger by 1 / defect cancel.
constexpr double kOfSumsBack = 5e-3;

const Subject kSubjects[] = {
    {"add", by_two<poincare_add>, without_t(add), Result::row, true, Kind::points, as_they_are},
    {"dist", by_two<poincare_dist>, without_t(dist), Result::number, true, Kind::points,
     as_they_are},
    {"dist2", by_two<poincare_dist2>, without_t(dist2), Result::number, true, Kind::points,
     as_they_are},
    {"log", by_two<poincare_log>, without_t(log), Result::row, true, Kind::to_tangent, as_they_are},
    {"exp", by_two<poincare_exp>, without_t(exp), Result::row, true, Kind::by_tangent,
     with_tangents},
    {"exp0", by_x<poincare_exp0>, without_t(exp0), Result::row, false, Kind::points, tangents},
    {"log0", by_x<poincare_log0>, without_t(log0), Result::row, false, Kind::points, points},
    {"dist0", by_x<poincare_dist0>, without_t(dist0), Result::number, false, Kind::points, points},
    {"geodesic", at_t<poincare_geodesic>, geodesic, Result::row, true, Kind::between, between},
    {"klein_dist", by_two<klein_dist>, without_t(klein_distance), Result::number, true,
     Kind::points, as_they_are},
    {"klein_geodesic", at_t<klein_geodesic>, klein_path, Result::row, true, Kind::between, between},
    {"exp0_add", by_two<poincare_exp0_add>, without_t(exp0_add), Result::row, true, Kind::points,
     sums<false, Way::on>},
    {"exp0_add_exp0", by_two<poincare_exp0_add_exp0>, without_t(exp0_add_exp0), Result::row, true,
     Kind::points, sums<true, Way::on>},
    {"exp0_add_back", by_two<poincare_exp0_add>, without_t(exp0_add), Result::row, true,
     Kind::points, sums<false, Way::back>, kOfSumsBack},
    {"exp0_add_exp0_back", by_two<poincare_exp0_add_exp0>, without_t(exp0_add_exp0), Result::row,
     true, Kind::points, sums<true, Way::back>, kOfSumsBack},
};

INSTANTIATE_TEST_SUITE_P(Balls, Oracle, ::testing::ValuesIn(kSubjects),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace gyre::oracle
#else
#include <gtest/gtest.h>
TEST(Oracle, F32) { GTEST_SKIP() << "the compiler has no __float128"; }
#endif
