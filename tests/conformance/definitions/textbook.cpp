#include "tests/conformance/definitions/textbook.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gyre::conformance::textbook {

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
Row to_ball(const Row& x, Real c) { return 1 / (1 + std::sqrt(1 + c * dot(x, x))) * x; }
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

Row midpoint(const Rows& points, const Row& weights, Real c, Model model) {
  Row space(points[0].size());
  Real time = 0;  // times sqrt(c), which c <= 0 has not
  for (size_t i = 0; i < points.size(); ++i) {
    Row s = model == Model::ball    ? lambda(points[i], c) * points[i]
            : model == Model::klein ? raised(points[i], c)
                                    : points[i];
    space = space + weights[i] * s;
    time += weights[i] * std::sqrt(1 + c * dot(s, s));
  }
  Row s = 1 / std::sqrt(time * time - c * dot(space, space)) * space;
  return model == Model::ball ? to_ball(s, c) : model == Model::klein ? straight(s, c) : s;
}
Row projected(const Row& x, Real c, Real margin) {
  Real most = 1 - margin, u = std::sqrt(std::fmax(c, Real(0))) * length(x);
  return u > most ? most / u * x : x;
}

// ---- calls ----

namespace {

// An operand of one value per row as one that has the axis.
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

}  // namespace

Definition rows(const Curved& f, size_t first, size_t numbers) {
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

}  // namespace gyre::conformance::textbook
