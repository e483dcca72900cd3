#include <algorithm>
#include <cmath>

#include "tests/conformance/definitions/textbook.h"

namespace gyre::conformance::textbook {
namespace {

// ---- the stages around the matrix products of layers ----

// An op with several results, each by its formula.
Definition each(const std::vector<Definition>& results) {
  return [=](const Call& call, const std::vector<Dense>& in) {
    std::vector<Values> r;
    for (const Definition& one : results) r.push_back(one(call, in)[0]);
    return r;
  };
}

// exp0 of the ball, computed on the hyperboloid, where it is not rounded to the ball's boundary
Row lifted_exp0(const Row& v, Real c) {
  Real s = std::sqrt(c);
  return dot(v, v) == 0 ? v : to_length(v, std::sinh(2 * s * length(v)) / s);
}
Row lifted(const Row& x, Real c) { return lambda(x, c) * x; }
Row sum_inside(const Row& x, const Row& y, Real c) {
  return projected(to_ball(lorentz_add(x, y, c), c), c, 0x1p-22);
}
// of the product p, slope, offset and gain in each place, and time
Row scores(const Rows& r, Real c, bool ball) {
  Row y;
  Real t = r[4][0], stretch = ball ? 1 + t : 1;
  for (size_t i = 0; i < r[0].size(); ++i) {
    Real u = stretch * r[0][i] * r[1][i] - t * r[2][i];
    y.push_back(r[3][i] * std::asinh(std::sqrt(c) * u) / std::sqrt(c));
  }
  return y;
}
Row from_scores(Row v, Real c) {
  for (Real& w : v) w = std::sinh(std::sqrt(c) * w) / std::sqrt(c);
  return projected(1 / (1 + std::sqrt(1 + c * dot(v, v))) * v, c, 0x1p-22);
}
Real unless_zero(const Row& z, Real x) { return dot(z, z) == 0 ? 0 : x; }
// `per` is the distance of a hyperplane for an offset of 1, and its gain for a length of 1.
template <int per>
Definition planes() {
  return each({
      rows(ROW(r[0] + Real(0) * c * r[0]), 1),
      rows(NUMBER(unless_zero(r[0], std::cosh(std::sqrt(c) * per * r[1][0]) / length(r[0]))), 1),
      rows(NUMBER(std::sinh(std::sqrt(c) * per * r[1][0]) / std::sqrt(c)), 1),
      rows(NUMBER(per * length(r[0]) + 0 * c), 1),
  });
}

Real gate(const Rows& r, Real c) {
  return r[4][0] / (1 + std::exp(-(dot(r[0], r[1]) + r[2][0] * time_of(r[0], c) + r[3][0])));
}
Row gated(const Rows& r) {
  Row h = r[0] + r[3][0] * r[1] + r[2];
  return dot(h, h) == 0 ? h : to_length(h, r[4][0]);
}
// softmax of the first row, and the mean of the second weighted by it
Definition attention(bool mean) {
  return [=](const Call& call, const std::vector<Dense>& in) {
    auto row = [&](const std::vector<Values>& r) {
      double most = *std::max_element(r[0].begin(), r[0].end());
      Real sum = 0, times = 0;
      Values w;
      for (size_t i = 0; i < r[0].size(); ++i) {
        w.push_back(std::exp(r[0][i] - most));
        sum += w[i];
        times += w[i] * r[1][i];
      }
      if (mean) return Values{static_cast<double>(times / sum)};
      for (double& v : w) v = static_cast<double>(v / sum);
      return w;
    };
    return std::vector<Values>{by_rows(row, in, attribute(call, "axis", int64_t{-1}))};
  };
}
Row affinities(const Rows& r, Real c) {
  Row y;
  for (size_t i = 0; i < r[0].size(); ++i) {
    y.push_back(-r[3][0] * squared(std::acosh(r[2][0] * r[1][i] - c * r[0][i])) / c);
  }
  return y;
}

// ---- penalties, of all rows of the first operand ----

Rows all_rows(const Dense& x) {
  auto d = static_cast<size_t>(x.shape[x.shape.rank - 1]);
  Rows r;
  for (size_t i = 0; i < x.v.size(); i += d) r.emplace_back(&x.v[i], &x.v[i] + d);
  return r;
}
double mean_of(const Row& terms) {
  Real sum = 0;
  for (Real t : terms) sum += t;
  return static_cast<double>(sum / static_cast<Real>(terms.size()));
}
std::vector<Values> boundary(const Call& call, const std::vector<Dense>& in) {
  double margin = attribute(call, "margin", 0.0);
  Row terms;
  for (const Row& x : all_rows(in[0])) {
    Real over = in[1].v[0] * dot(x, x) - squared(1 - Real(margin));
    terms.push_back(over > 0 ? over * over : 0);
  }
  return {{mean_of(terms)}};
}
std::vector<Values> curvature_penalty(const Call& call, const std::vector<Dense>& in) {
  Row terms;
  for (double c : in[0].v) terms.push_back(squared(std::log(c / attribute(call, "target", 0.0))));
  return {{mean_of(terms)}};
}
std::vector<Values> variance(const Call&, const std::vector<Dense>& in) {
  Rows all = all_rows(in[0]);
  auto n = static_cast<size_t>(in[0].shape[in[0].shape.rank - 2]);
  Real c = in[1].v[0];
  Values r;
  for (size_t i = 0; i < all.size(); i += n) {
    Rows set(all.begin() + static_cast<std::ptrdiff_t>(i),
             all.begin() + static_cast<std::ptrdiff_t>(i + n));
    Row middle = midpoint(set, Row(n, 1), c, Model::ball), terms;
    for (const Row& x : set) terms.push_back(squared(ball_dist(middle, x, c)));
    r.push_back(mean_of(terms));
  }
  return {r};
}
std::vector<Values> contrastive(const Call& call, const std::vector<Dense>& in) {
  Rows x = all_rows(in[0]);
  const Values& label = in[1].v;
  Real temperature = attribute(call, "temperature", 0.0), c = in[2].v[0];
  Row terms;
  for (size_t i = 0; i < x.size(); ++i) {
    Real all = 0, alike = 0, others = 0;
    for (size_t j = 0; j < x.size(); ++j) {
      if (j == i) continue;
      Real closeness = -ball_dist(x[i], x[j], c) / temperature;
      all += std::exp(closeness);
      if (label[i] != label[j]) continue;
      alike += closeness;
      others += 1;
    }
    if (others > 0) terms.push_back(std::log(all) - alike / others);
  }
  return {{terms.empty() ? 0 : mean_of(terms)}};
}

const Definitions kLayers({
    {"poincare_exp0_add", rows(ROW(sum_inside(lifted_exp0(r[0], c), lifted(r[1], c), c)))},
    {"poincare_exp0_add_exp0",
     rows(ROW(sum_inside(lifted_exp0(r[0], c), lifted_exp0(r[1], c), c)))},
    {"poincare_lift",
     each({rows(ROW(r[0] + Real(0) * c * r[0])), rows(NUMBER(lambda(r[0], c) - 1))})},
    {"lorentz_lift",
     each({rows(ROW(r[0] + Real(0) * c * r[0])), rows(NUMBER(std::sqrt(c) * time_of(r[0], c)))})},
    {"poincare_planes", planes<2>()},
    {"lorentz_planes", planes<1>()},
    {"poincare_scores", rows(ROW(scores(r, c, true)), 4)},
    {"lorentz_scores", rows(ROW(scores(r, c, false)), 4)},
    {"poincare_from_planes", rows(ROW(from_scores(scores(r, c, true), c)), 4)},
    {"lorentz_gate", each({rows(ROW(r[0] + Real(0) * c * r[0]), 2, 3),
                           rows(NUMBER(time_of(r[0], c)), 2, 3), rows(NUMBER(gate(r, c)), 2, 3)})},
    {"lorentz_gated", rows(ROW(gated(r) + Real(0) * c * r[0]), 3)},
    {"lorentz_affinity", rows(ROW(affinities(r, c)), 2, 2)},
    {"lorentz_weights", each({attention(false), attention(true)})},
    {"poincare_boundary", boundary},
    {"curvature_penalty", curvature_penalty},
    {"poincare_variance", variance},
    {"poincare_contrastive", contrastive},
    {"lorentz_centroid",
     rows(ROW(1 / std::sqrt(squared(r[1][0]) - c * dot(r[0], r[0])) * r[0]), 1)},
});

}  // namespace
}  // namespace gyre::conformance::textbook
