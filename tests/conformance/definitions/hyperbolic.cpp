#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "gyre/hyperbolic/tangent_maps.h"
#include "tests/conformance/definitions.h"

namespace gyre::conformance {
namespace {

// The textbook's formulas in long double: Ungar 2008 for the ball, Lorentz's inner product for the
// hyperboloid; the Klein ball by way of the hyperboloid.
using Real = long double;
using Row = std::vector<Real>;

Real dot(const Row& a, const Row& b) {
  Real s = 0;
  for (size_t i = 0; i < a.size(); ++i) s += a[i] * b[i];
  return s;
}
Row operator*(Real k, Row a) {
  for (Real& v : a) v *= k;
  return a;
}
Row operator+(Row a, const Row& b) {
  for (size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}
Row operator-(const Row& a, const Row& b) { return a + Real(-1) * b; }

// ---- ball; c of any sign ----

Real tangent(Real c, Real u) {
  Real s = std::sqrt(std::fabs(c));
  return c > 0 ? std::tanh(s * u) / s : c < 0 ? std::tan(s * u) / s : u;
}
Real inverse_tangent(Real c, Real u) {
  Real s = std::sqrt(std::fabs(c));
  return c > 0 ? std::atanh(s * u) / s : c < 0 ? std::atan(s * u) / s : u;
}
Real length(const Row& x) { return std::sqrt(dot(x, x)); }
Row to_length(const Row& x, Real u) { return u / length(x) * x; }
// 1 - c|x|^2, of points inside only
Real defect(const Row& x, Real c) {
  Real a = 1 - c * dot(x, x);
  return a > 0 ? a : std::numeric_limits<Real>::quiet_NaN();
}
Real lambda(const Row& x, Real c) { return 2 / defect(x, c); }

Row ball_add(const Row& x, const Row& y, Real c) {
  Real xx = dot(x, x), yy = dot(y, y), xy = dot(x, y), a = defect(x, c);
  Real d = 1 + 2 * c * xy + c * c * xx * yy + 0 * defect(y, c);
  return (1 + 2 * c * xy + c * yy) / d * x + a / d * y;
}
Row minus(const Row& x) { return Real(-1) * x; }
Row ball_scalar(Real r, const Row& x, Real c) {
  return to_length(x, tangent(c, r * inverse_tangent(c, length(x))));
}
Row ball_gyration(const Row& x, const Row& y, const Row& v, Real c) {
  return ball_add(minus(ball_add(x, y, c)), ball_add(x, ball_add(y, v, c), c), c);
}
// v = 0 maps to itself: it has no direction
Row ball_exp0(const Row& v, Real c) {
  return length(v) > 0 ? to_length(v, tangent(c, length(v))) : v;
}
Row ball_log0(const Row& x, Real c) {
  return length(x) > 0 ? to_length(x, inverse_tangent(c, length(x))) : x;
}
Row ball_exp(const Row& x, const Row& v, Real c) {
  if (length(v) == 0) return x;
  return ball_add(x, to_length(v, tangent(c, lambda(x, c) * length(v) / 2)), c);
}
Row ball_log(const Row& x, const Row& y, Real c) {
  Row u = ball_add(minus(x), y, c);
  return to_length(u, 2 / lambda(x, c) * inverse_tangent(c, length(u)));
}
Real ball_dist(const Row& x, const Row& y, Real c) {
  return 2 * inverse_tangent(c, length(ball_add(minus(x), y, c)));
}

// ---- hyperboloid and Klein ball; c > 0 ----

Real time_of(const Row& x, Real c) { return std::sqrt(1 / c + dot(x, x)); }
// of tangent vectors at x
Real inner(const Row& x, const Row& u, const Row& v, Real c) {
  return dot(u, v) - dot(x, u) * dot(x, v) / (1 / c + dot(x, x));
}
Real lorentz_dist(const Row& x, const Row& y, Real c) {
  return std::acosh(c * (time_of(x, c) * time_of(y, c) - dot(x, y))) / std::sqrt(c);
}
Row lorentz_add(const Row& x, const Row& y, Real c) {
  Real s = std::sqrt(c);
  return y + (s * time_of(y, c) + c * dot(x, y) / (1 + s * time_of(x, c))) * x;
}
Row lorentz_exp(const Row& x, const Row& v, Real c) {
  Real l = std::sqrt(c * inner(x, v, v, c));
  return std::cosh(l) * x + (l > 0 ? std::sinh(l) / l : 1) * v;
}
Row lorentz_log(const Row& x, const Row& y, Real c) {
  Real d = std::sqrt(c) * lorentz_dist(x, y, c);
  return (d > 0 ? d / std::sinh(d) : 1) * (y - std::cosh(d) * x);
}
Row lorentz_transport(const Row& x, const Row& y, const Row& v, Real c) {
  Real yv = dot(y, v) - time_of(y, c) / time_of(x, c) * dot(x, v);
  return v + yv / (1 / c + time_of(x, c) * time_of(y, c) - dot(x, y)) * (x + y);
}
Row lorentz_scalar(Real r, const Row& x, Real c) {
  Real s = std::sqrt(c);
  return to_length(x, std::sinh(r * std::asinh(s * length(x))) / s);
}
Row to_ball(const Row& x, Real c) { return 1 / (1 + std::sqrt(c) * time_of(x, c)) * x; }
Row lorentz_gyration(const Row& x, const Row& y, const Row& v, Real c) {
  return ball_gyration(to_ball(x, c), to_ball(y, c), v, c);
}
Row straight(const Row& x, Real c) { return 1 / (std::sqrt(c) * time_of(x, c)) * x; }
Row raised(const Row& k, Real c) { return 1 / std::sqrt(1 - c * dot(k, k)) * k; }
// a tangent vector at k of the Klein ball as one of the hyperboloid, and back
Row raised(const Row& k, const Row& v, Real c) {
  Real a = 1 - c * dot(k, k);
  return 1 / std::sqrt(a) * v + c * dot(k, v) / (a * std::sqrt(a)) * k;
}
Row lowered(const Row& k, const Row& v, Real c) {
  Real r = std::sqrt(1 - c * dot(k, k));
  return r * (v - c * dot(k, v) * k);
}
Row klein_to_ball(const Row& k, Real c) { return 1 / (1 + std::sqrt(1 - c * dot(k, k))) * k; }

// ---- calls ----

using Rows = std::vector<Row>;
using Curved = std::function<Row(const Rows& x, Real c)>;

// An operand of one value a row as one that has the axis.
void give_axis(Dense& number, int rank, int at) {
  if (number.shape.rank == 0) return;
  Shape with;
  int skipped = rank - 1 - number.shape.rank;
  for (int k = 0; k < number.shape.rank; ++k) {
    if (k + skipped == at) with.push_back(1);
    with.push_back(number.shape[k]);
  }
  if (at == rank - 1) with.push_back(1);
  number.shape = with;
}

// f of rows, whose last is the curvature; `numbers` operands from the `first` on have one value a
// row.
Definition rows(const Curved& f, size_t first, size_t numbers = 1) {
  return [=](const Call& call, std::vector<Dense> in) {
    auto axis = attribute(call, "axis", int64_t{-1});
    int rank = 0;
    for (size_t i = 0; i < in.size(); ++i) {
      bool number = i + 1 == in.size() || (i >= first && i < first + numbers);
      if (!number) rank = std::max(rank, in[i].shape.rank);
    }
    int at = static_cast<int>(axis < 0 ? axis + rank : axis);
    for (size_t i = 0; i < in.size(); ++i) {
      if (i + 1 == in.size() || (i >= first && i < first + numbers)) give_axis(in[i], rank, at);
    }
    auto row = [&](const std::vector<Values>& r) {
      Rows x;
      for (const Values& v : r) x.emplace_back(v.begin(), v.end());
      Row y = f(x, x.back()[0]);
      return Values(y.begin(), y.end());
    };
    return std::vector<Values>{by_rows(row, in, axis)};
  };
}
Definition rows(const Curved& f) { return rows(f, 99); }

#define ROW(...) [](const Rows& r, Real c) -> Row { return __VA_ARGS__; }
#define NUMBER(...) [](const Rows& r, Real c) -> Row { return {Real(__VA_ARGS__)}; }

Real squared(Real x) { return x * x; }
Row projected(const Row& x, Real c, Real margin) {
  Real most = 1 - margin, u = std::sqrt(std::fmax(c, Real(0))) * length(x);
  return u > most ? most / u * x : x;
}
Definition project() {
  return [](const Call& call, const std::vector<Dense>& in) {
    Real margin = attribute(call, "margin", 0.0);
    return rows([=](const Rows& r, Real c) { return projected(r[0], c, margin); }, 99)(call, in);
  };
}
Row ball_geodesic(const Row& x, const Row& y, Real t, Real c) {
  return ball_exp(x, t * ball_log(x, y, c), c);
}

const Definitions kBall({
    {"poincare_add", rows(ROW(ball_add(r[0], r[1], c)))},
    {"poincare_sub", rows(ROW(ball_add(r[0], minus(r[1]), c)))},
    {"poincare_scalar", rows(ROW(ball_scalar(r[0][0], r[1], c)), 0)},
    {"poincare_scalar_rows", rows(ROW(ball_scalar(r[1][0], r[0], c)), 1)},
    {"poincare_gyration", rows(ROW(ball_gyration(r[0], r[1], r[2], c)))},
    {"poincare_exp", rows(ROW(ball_exp(r[0], r[1], c)))},
    {"poincare_log", rows(ROW(ball_log(r[0], r[1], c)))},
    {"poincare_exp0", rows(ROW(ball_exp0(r[0], c)))},
    {"poincare_log0", rows(ROW(ball_log0(r[0], c)))},
    {"poincare_transport",
     rows(ROW(lambda(r[0], c) / lambda(r[1], c) * ball_gyration(r[1], minus(r[0]), r[2], c)))},
    {"poincare_transport0", rows(ROW(2 / lambda(r[0], c) * r[1]))},
    {"poincare_geodesic", rows(ROW(ball_geodesic(r[0], r[1], r[2][0], c)), 2)},
    {"poincare_egrad2rgrad", rows(ROW(1 / squared(lambda(r[0], c)) * r[1]))},
    {"poincare_project", project()},
    {"poincare_lambda", rows(NUMBER(lambda(r[0], c)))},
    {"poincare_dist", rows(NUMBER(ball_dist(r[0], r[1], c)))},
    {"poincare_dist0", rows(NUMBER(2 * inverse_tangent(c, length(r[0]))))},
    {"poincare_dist2", rows(NUMBER(squared(ball_dist(r[0], r[1], c))))},
    {"poincare_inner", rows(NUMBER(squared(lambda(r[0], c)) * dot(r[1], r[2])))},
    {"poincare_norm", rows(NUMBER(lambda(r[0], c) * length(r[1])))},
    {"poincare_to_lorentz", rows(ROW(lambda(r[0], c) * r[0]))},
    {"poincare_to_klein", rows(ROW(2 / (2 - defect(r[0], c)) * r[0]))},
});

const Definitions kLorentz({
    {"lorentz_add", rows(ROW(lorentz_add(r[0], r[1], c)))},
    {"lorentz_sub", rows(ROW(lorentz_add(r[0], minus(r[1]), c)))},
    {"lorentz_scalar", rows(ROW(lorentz_scalar(r[0][0], r[1], c)), 0)},
    {"lorentz_scalar_rows", rows(ROW(lorentz_scalar(r[1][0], r[0], c)), 1)},
    {"lorentz_gyration", rows(ROW(lorentz_gyration(r[0], r[1], r[2], c)))},
    {"lorentz_exp", rows(ROW(lorentz_exp(r[0], r[1], c)))},
    {"lorentz_log", rows(ROW(lorentz_log(r[0], r[1], c)))},
    {"lorentz_exp0", rows(ROW(lorentz_exp(Real(0) * r[0], r[0], c)))},
    {"lorentz_log0", rows(ROW(lorentz_log(Real(0) * r[0], r[0], c)))},
    {"lorentz_transport", rows(ROW(lorentz_transport(r[0], r[1], r[2], c)))},
    {"lorentz_transport0", rows(ROW(lorentz_transport(Real(0) * r[0], r[0], r[1], c)))},
    {"lorentz_geodesic",
     rows(ROW(lorentz_exp(r[0], r[2][0] * lorentz_log(r[0], r[1], c), c)), 2)},
    {"lorentz_egrad2rgrad", rows(ROW(r[1] + c * dot(r[0], r[1]) * r[0]))},
    {"lorentz_dist", rows(NUMBER(lorentz_dist(r[0], r[1], c)))},
    {"lorentz_dist0", rows(NUMBER(lorentz_dist(Real(0) * r[0], r[0], c)))},
    {"lorentz_dist2", rows(NUMBER(squared(lorentz_dist(r[0], r[1], c))))},
    {"lorentz_inner", rows(NUMBER(inner(r[0], r[1], r[2], c)))},
    {"lorentz_norm", rows(NUMBER(std::sqrt(inner(r[0], r[1], r[1], c))))},
    {"lorentz_to_poincare", rows(ROW(to_ball(r[0], c)))},
    {"lorentz_to_klein", rows(ROW(straight(r[0], c)))},
    {"lorentz_with_time", rows([](const Rows& r, Real c) -> Row {
       Row y{time_of(r[0], c)};
       y.insert(y.end(), r[0].begin(), r[0].end());
       return y;
     })},
    {"lorentz_without_time",
     [](const Call& call, const std::vector<Dense>& in) {
       auto tail = [](const std::vector<Values>& r) { return Values(r[0].begin() + 1, r[0].end()); };
       return std::vector<Values>{by_rows(tail, in, attribute(call, "axis", int64_t{-1}))};
     }},
});

Row klein_add(const Row& x, const Row& y, Real c) {
  return straight(lorentz_add(raised(x, c), raised(y, c), c), c);
}
Row klein_exp(const Row& x, const Row& v, Real c) {
  return straight(lorentz_exp(raised(x, c), raised(x, v, c), c), c);
}
Row klein_log(const Row& x, const Row& y, Real c) {
  return lowered(x, lorentz_log(raised(x, c), raised(y, c), c), c);
}
Row klein_transport(const Row& x, const Row& y, const Row& v, Real c) {
  return lowered(y, lorentz_transport(raised(x, c), raised(y, c), raised(x, v, c), c), c);
}
Row klein_scalar(Real r, const Row& x, Real c) {
  return straight(lorentz_scalar(r, raised(x, c), c), c);
}
Real klein_inner(const Row& x, const Row& u, const Row& v, Real c) {
  return inner(raised(x, c), raised(x, u, c), raised(x, v, c), c);
}
Real klein_dist(const Row& x, const Row& y, Real c) {
  return lorentz_dist(raised(x, c), raised(y, c), c);
}
Row klein_gradient(const Row& x, const Row& g, Real c) {
  return defect(x, c) * (g - c * dot(x, g) * x);
}

const Definitions kKlein({
    {"klein_add", rows(ROW(klein_add(r[0], r[1], c)))},
    {"klein_sub", rows(ROW(klein_add(r[0], minus(r[1]), c)))},
    {"klein_scalar", rows(ROW(klein_scalar(r[0][0], r[1], c)), 0)},
    {"klein_scalar_rows", rows(ROW(klein_scalar(r[1][0], r[0], c)), 1)},
    {"klein_gyration",
     rows(ROW(ball_gyration(klein_to_ball(r[0], c), klein_to_ball(r[1], c), r[2], c)))},
    {"klein_exp", rows(ROW(klein_exp(r[0], r[1], c)))},
    {"klein_log", rows(ROW(klein_log(r[0], r[1], c)))},
    {"klein_exp0", rows(ROW(klein_exp(Real(0) * r[0], r[0], c)))},
    {"klein_log0", rows(ROW(klein_log(Real(0) * r[0], r[0], c)))},
    {"klein_transport", rows(ROW(klein_transport(r[0], r[1], r[2], c)))},
    {"klein_transport0", rows(ROW(klein_transport(Real(0) * r[0], r[0], r[1], c)))},
    {"klein_untransport0", rows(ROW(klein_transport(r[0], Real(0) * r[0], r[1], c)))},
    {"klein_geodesic", rows(ROW(klein_exp(r[0], r[2][0] * klein_log(r[0], r[1], c), c)), 2)},
    {"klein_egrad2rgrad", rows(ROW(klein_gradient(r[0], r[1], c)))},
    {"klein_project", project()},
    {"klein_dist", rows(NUMBER(klein_dist(r[0], r[1], c)))},
    {"klein_dist0", rows(NUMBER(klein_dist(Real(0) * r[0], r[0], c)))},
    {"klein_dist2", rows(NUMBER(squared(klein_dist(r[0], r[1], c))))},
    {"klein_inner", rows(NUMBER(klein_inner(r[0], r[1], r[2], c)))},
    {"klein_norm", rows(NUMBER(std::sqrt(klein_inner(r[0], r[1], r[1], c))))},
    {"klein_to_poincare", rows(ROW(klein_to_ball(r[0], c)))},
    {"klein_to_lorentz", rows(ROW(raised(r[0], c)))},
});

// ---- paths: the last operand, which rows() hands on as `c`, is t ----

Row ball_lerp(const Row& u, const Row& v, Real t, Real c) {
  return ball_add(ball_scalar(1 - t, u, c), ball_scalar(t, v, c), c);
}
Row lorentz_lerp(const Row& u, const Row& v, Real t, Real c) {
  return lorentz_add(lorentz_scalar(1 - t, u, c), lorentz_scalar(t, v, c), c);
}
Row lorentz_geodesic(const Row& x, const Row& y, Real t, Real c) {
  return lorentz_exp(x, t * lorentz_log(x, y, c), c);
}
Row klein_geodesic(const Row& x, const Row& y, Real t, Real c) {
  return klein_exp(x, t * klein_log(x, y, c), c);
}
Row klein_lerp(const Row& u, const Row& v, Real t, Real c) {
  return straight(lorentz_lerp(raised(u, c), raised(v, c), t, c), c);
}

const Definitions kPaths({
    {"poincare_ball_layer", rows(ROW(ball_geodesic(r[0], r[1], c, r[2][0])), 2)},
    {"lorentz_layer", rows(ROW(lorentz_geodesic(r[0], r[1], c, r[2][0])), 2)},
    {"klein_layer", rows(ROW(klein_geodesic(r[0], r[1], c, r[2][0])), 2)},
    {"poincare_gyro_lerp", rows(ROW(ball_lerp(r[0], r[1], r[2][0], c)), 2)},
    {"lorentz_gyro_lerp", rows(ROW(lorentz_lerp(r[0], r[1], r[2][0], c)), 2)},
    {"klein_gyro_lerp", rows(ROW(klein_lerp(r[0], r[1], r[2][0], c)), 2)},
});

// ---- maps of the tangent space at the origin ----

struct Chart {
  Row (*exp0)(const Row& v, Real c);
  Row (*log0)(const Row& x, Real c);
};
Row flat(const Row& x) { return Real(0) * x; }
const Chart kBallChart{[](const Row& v, Real c) { return ball_exp0(v, c); },
                       [](const Row& x, Real c) { return ball_log0(x, c); }};
const Chart kLorentzChart{[](const Row& v, Real c) { return lorentz_exp(flat(v), v, c); },
                          [](const Row& x, Real c) { return lorentz_log(flat(x), x, c); }};
const Chart kKleinChart{[](const Row& v, Real c) { return klein_exp(flat(v), v, c); },
                        [](const Row& x, Real c) { return klein_log(flat(x), x, c); }};

Real activated(Real x, TangentFunction f) {
  switch (f) {
    case TangentFunction::relu:
      return x > 0 ? x : 0;
    case TangentFunction::leaky_relu:
      return x > 0 ? x : Real(0.01) * x;
    case TangentFunction::elu:
      return x > 0 ? x : std::expm1(x);
    case TangentFunction::gelu:
      return x / 2 * std::erfc(-x / std::sqrt(Real(2)));
    case TangentFunction::gelu_tanh:
      return x / 2 *
             (1 + std::tanh(std::sqrt(2 / std::acos(Real(-1))) * (x + Real(0.044715) * x * x * x)));
    case TangentFunction::silu:
      return x / (1 + std::exp(-x));
    case TangentFunction::sigmoid:
      return 1 / (1 + std::exp(-x));
    case TangentFunction::softplus:
      return std::log1p(std::exp(x));
    case TangentFunction::tanh:
      return std::tanh(x);
    case TangentFunction::sin:
      return std::sin(x);
  }
  return std::numeric_limits<Real>::quiet_NaN();
}

Definition pointwise(const Chart& chart) {
  return [=](const Call& call, const std::vector<Dense>& in) {
    auto f = attribute(call, "f", TangentFunction::relu);
    auto row = [&](const Rows& r, Real c) {
      Row v = chart.log0(r[0], c);
      for (Real& e : v) e = activated(e, f);
      return chart.exp0(v, c);
    };
    return rows(row, 99)(call, in);
  };
}

Definition matvec(const Chart& chart) {
  return [=](const Call&, const std::vector<Dense>& in) {
    const Dense &m = in[0], &x = in[1], &c = in[2];
    auto d = static_cast<size_t>(m.shape[1]), height = static_cast<size_t>(m.shape[0]);
    Values r;
    for (size_t at = 0; at < x.v.size(); at += d) {
      Real k = c.v[c.shape.rank ? at / d : 0];
      Row v = chart.log0(Row(x.v.begin() + static_cast<ptrdiff_t>(at),
                             x.v.begin() + static_cast<ptrdiff_t>(at + d)),
                         k);
      Row product(height);
      for (size_t i = 0; i < height; ++i) {
        for (size_t j = 0; j < d; ++j) product[i] += m.v[i * d + j] * v[j];
      }
      for (Real e : chart.exp0(product, k)) r.push_back(static_cast<double>(e));
    }
    return std::vector<Values>{r};
  };
}

const Definitions kTangentMaps({
    {"poincare_matvec", matvec(kBallChart)},
    {"lorentz_matvec", matvec(kLorentzChart)},
    {"klein_matvec", matvec(kKleinChart)},
    {"poincare_pointwise", pointwise(kBallChart)},
    {"lorentz_pointwise", pointwise(kLorentzChart)},
    {"klein_pointwise", pointwise(kKleinChart)},
});

// ---- sets of points ----

Row row_at(const Dense& x, const Shape& space, const int64_t* at, int64_t d) {
  Shape with = space;
  with.push_back(d);
  int64_t place[kMaxRank] = {};
  std::copy(at, at + space.rank, place);
  Row r;
  for (int64_t& i = place[space.rank]; i < d; ++i) r.push_back(at_place(x, with, place));
  return r;
}

// Rows of x against rows of y, the axes before them broadcast.
Definition pairs(Real (*dist)(const Row&, const Row&, Real)) {
  return [=](const Call&, std::vector<Dense> in) {
    int64_t d = in[0].shape[in[0].shape.rank - 1];
    Shape x, y;
    for (int i = 0; i + 1 < in[0].shape.rank; ++i) x.push_back(in[0].shape[i]);
    x.push_back(1);
    for (int i = 0; i + 2 < in[1].shape.rank; ++i) y.push_back(in[1].shape[i]);
    y.push_back(1);
    y.push_back(in[1].shape[in[1].shape.rank - 2]);
    Shape space = broadcast(broadcast(x, y, "pairs"), in[2].shape, "pairs");
    x.push_back(d);
    y.push_back(d);
    in[0].shape = x;
    in[1].shape = y;
    Values r;
    each_place(space, [&](const int64_t* at) {
      Real c = at_place(in[2], space, at);
      r.push_back(
          static_cast<double>(dist(row_at(in[0], space, at, d), row_at(in[1], space, at, d), c)));
    });
    return std::vector<Values>{r};
  };
}

enum class Model { ball, hyperboloid, klein };

Row midpoint(const Rows& points, const Row& weights, Real c, Model model) {
  Row space(points[0].size());
  Real time = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    Row s = model == Model::ball    ? lambda(points[i], c) * points[i]
            : model == Model::klein ? raised(points[i], c)
                                    : points[i];
    space = space + weights[i] * s;
    time += weights[i] * time_of(s, c);
  }
  Row s = 1 / std::sqrt(c * (time * time - dot(space, space))) * space;
  return model == Model::ball ? to_ball(s, c) : model == Model::klein ? straight(s, c) : s;
}

// By Karcher's flow in the ball: a mean of logarithms is a step towards the mean.
Row frechet_mean(const Rows& points, const Row& weights, Real c, Model model) {
  Rows x;
  for (const Row& p : points) {
    x.push_back(model == Model::ball    ? p
                : model == Model::klein ? klein_to_ball(p, c)
                                        : to_ball(p, c));
  }
  Row m = Real(0) * x[0];
  for (int step = 0; step < 200; ++step) {
    Row v = Real(0) * m;
    Real total = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      v = v + weights[i] * ball_log(m, x[i], c);
      total += weights[i];
    }
    m = ball_exp(m, Real(0.8) / total * v, c);
  }
  return model == Model::ball    ? m
         : model == Model::klein ? 2 / (2 - defect(m, c)) * m
                                 : lambda(m, c) * m;
}

using Mean = Row (*)(const Rows& points, const Row& weights, Real c, Model model);
Definition means(Mean mean, Model model) {
  return [=](const Call&, const std::vector<Dense>& in) {
    const Shape& x = in[0].shape;
    int64_t n = x[x.rank - 2], d = x[x.rank - 1];
    Shape sets;
    for (int i = 0; i + 2 < x.rank; ++i) sets.push_back(x[i]);
    Values r;
    each_place(sets, [&](const int64_t* at) {
      Shape of_points = sets;
      of_points.push_back(n);
      int64_t place[kMaxRank] = {};
      std::copy(at, at + sets.rank, place);
      Rows points;
      Row weights;
      for (int64_t& i = place[sets.rank]; i < n; ++i) {
        points.push_back(row_at(in[0], of_points, place, d));
        weights.push_back(at_place(in[1], of_points, place));
      }
      for (Real v : mean(points, weights, at_place(in[2], sets, at), model)) {
        r.push_back(static_cast<double>(v));
      }
    });
    return std::vector<Values>{r};
  };
}

const Definitions kSets({
    {"poincare_cdist", pairs(ball_dist)},
    {"lorentz_cdist", pairs(lorentz_dist)},
    {"klein_cdist", pairs(klein_dist)},
    {"poincare_midpoint", means(midpoint, Model::ball)},
    {"lorentz_midpoint", means(midpoint, Model::hyperboloid)},
    {"klein_midpoint", means(midpoint, Model::klein)},
    {"poincare_frechet_mean", means(frechet_mean, Model::ball)},
    {"lorentz_frechet_mean", means(frechet_mean, Model::hyperboloid)},
    {"klein_frechet_mean", means(frechet_mean, Model::klein)},
});

}  // namespace
}  // namespace gyre::conformance
