#include <algorithm>
#include <cmath>
#include <limits>

#include "gyre/hyperbolic/tangent_maps.h"
#include "tests/conformance/definitions/textbook.h"

namespace gyre::conformance::textbook {
namespace {

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

// Rows of x against rows of y, with the leading axes broadcast.
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

// Karcher flow in the ball: the mean of logarithmic maps is a step towards the mean.
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
}  // namespace gyre::conformance::textbook
