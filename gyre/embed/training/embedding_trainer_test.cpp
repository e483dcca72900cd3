#include "gyre/embed/training/embedding_trainer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "gyre/base/cpu.h"
#include "gyre/base/thread_pool.h"
#include "gyre/data/draw.h"
#include "gyre/embed/training/bodies.h"
#include "gyre/kernel/per_isa.h"
#include "gyre/op/apply.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/shape.h"
#include "tests/thrown.h"

namespace gyre {

GYRE_DECLARE_TILES(EmbedTiles, embed)

namespace {

using Real = long double;

std::vector<double> coordinates_of(const PointTable& points) {
  return to_vector<double>(points.coordinates());
}

// One step of a point along its gradient.
template <class Body>
void step(PointTable& points, const std::vector<double>& gradient, double rate) {
  Body::step(points.rows().data<double>(),
             points.space().defined() ? points.space().data<double>() : nullptr, points.dim(),
             gradient.data(), rate);
}

// Reference distances, in each geometry's own coordinates.
Real distance(Geometry g, const std::vector<Real>& x, const std::vector<Real>& y) {
  Real square = 0, xx = 0, yy = 0, xy = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    square += (x[i] - y[i]) * (x[i] - y[i]);
    xx += x[i] * x[i];
    yy += y[i] * y[i];
    xy += x[i] * y[i];
  }
  switch (g) {
    case Geometry::poincare:
      return std::acosh(1 + 2 * square / ((1 - xx) * (1 - yy)));
    case Geometry::lorentz:
      return std::acosh(std::sqrt((1 + xx) * (1 + yy)) - xy);
    default:
      return std::sqrt(square);
  }
}

using Points = std::vector<std::vector<Real>>;

// Loss of point 0 with parent 1 and the others as negatives.
Real loss(Geometry g, const Points& p) {
  Real sum = 0;
  for (size_t i = 1; i < p.size(); ++i) sum += std::exp(-distance(g, p[0], p[i]));
  return distance(g, p[0], p[1]) + std::log(sum);
}

// Gradients by fourth-order finite differences.
Points slopes(Geometry g, const Points& p) {
  Points gradient = p;
  const Real h = 1e-4L;
  for (size_t i = 0; i < p.size(); ++i) {
    for (size_t j = 0; j < p[i].size(); ++j) {
      auto at = [&](Real shift) {
        Points moved = p;
        moved[i][j] += shift;
        return loss(g, moved);
      };
      gradient[i][j] = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
    }
  }
  return gradient;
}

// Points at different distances from the origin, in the geometry's own coordinates.
std::vector<double> scattered(Geometry g, int64_t nodes, int64_t dim) {
  std::vector<double> all;
  for (int64_t i = 0; i < nodes; ++i) {
    std::vector<double> x;
    double norm = 0;
    for (int64_t j = 0; j < dim; ++j) {
      x.push_back(static_cast<double>(draw(7, static_cast<uint64_t>(i * dim + j)) >> 11) * 0x1p-52 -
                  1);
      norm += x.back() * x.back();
    }
    const double radius = 0.3 + 0.2 * static_cast<double>(i % 11) + 0.01 * static_cast<double>(i);
    const double length = g == Geometry::poincare  ? std::tanh(radius / 2)
                          : g == Geometry::lorentz ? std::sinh(radius)
                                                   : radius;
    for (double c : x) all.push_back(c * length / std::sqrt(norm));
  }
  return all;
}

const EmbedTiles& tiles_of(Isa level) {
  static constexpr PerIsa<EmbedTiles> kTiles = GYRE_TILES_OF(embed);
  return *kTiles[level];
}

// Loss of point 0 with parent 1 and the others as negatives, and the gradients of all points in the
// kernel's coordinates.
struct Kernel {
  double loss;
  std::vector<std::vector<double>> gradients;

  Kernel(const EmbedTiles& tiles, const PointTable& points) {
    const auto nodes = static_cast<size_t>(points.nodes());
    std::vector<uint32_t> pair;
    std::vector<MovedRow> rows;
    std::vector<GradientEntry> entries{{0, GradientEntry::kIsChild}};
    for (uint32_t i = 0; i < nodes; ++i) {
      pair.push_back(i);
      rows.push_back({i, i});
      if (i > 0) entries.push_back({0, i - 1});
    }
    rows.push_back({0, static_cast<uint32_t>(nodes)});
    EmbedPlan b{};
    b.points = points.rows().data<double>();
    b.dim = points.dim();
    b.stride = points.rows().strides()[0];
    b.pairs = pair.data();
    b.targets = points.nodes() - 1;
    b.rows = rows.data();
    b.entries = entries.data();
    std::vector<double> record(static_cast<size_t>(b.record())),
        scratch(static_cast<size_t>((b.dim + 2) * b.slots()));
    b.records = record.data();
    const PairTile tile =
        points.geometry() == Geometry::euclidean ? tiles.euclidean : tiles.poincare;
    const PairLoss found = tile(b, 0, scratch.data());
    loss = std::log(found.sum) + found.excess;
    for (size_t i = 0; i < nodes; ++i) {
      gradients.emplace_back(b.stride);
      tiles.row(b, static_cast<int64_t>(i), gradients.back().data());
    }
  }
};

// Maps a gradient in the kernel's coordinates (the ball) to the hyperboloid: with
// s = 2 u / (1 - |u|^2) and du = ds / (1 + t) - s <s, ds> / (t (1 + t)^2).
std::vector<Real> on_hyperboloid(const std::vector<double>& g, const std::vector<Real>& s) {
  Real ss = 0, sg = 0;
  for (size_t i = 0; i < s.size(); ++i) {
    ss += s[i] * s[i];
    sg += s[i] * g[i];
  }
  const Real t = std::sqrt(1 + ss);
  std::vector<Real> out;
  for (size_t i = 0; i < s.size(); ++i) {
    out.push_back(g[i] / (1 + t) - s[i] * sg / (t * (1 + t) * (1 + t)));
  }
  return out;
}

TEST(PairKernel, MatchesLossAndGradientsOfTheFormula) {
  for (Geometry g : {Geometry::poincare, Geometry::lorentz, Geometry::euclidean}) {
    for (int64_t dim : {1, 2, 5, 10, 17}) {
      for (int64_t nodes : {3, 9, 10, 52}) {
        const PointTable points(g, dim, scattered(g, nodes, dim));
        const std::vector<double> coordinates = coordinates_of(points);
        Points exact;
        for (int64_t i = 0; i < nodes; ++i) {
          exact.emplace_back(coordinates.begin() + i * dim, coordinates.begin() + (i + 1) * dim);
        }
        const Points expected = slopes(g, exact);
        for (int level = v2; level <= cpu_features().best; ++level) {
          const Kernel found(tiles_of(static_cast<Isa>(level)), points);
          EXPECT_NEAR(found.loss, static_cast<double>(loss(g, exact)), 1e-12);
          for (size_t i = 0; i < exact.size(); ++i) {
            const std::vector<double>& row = found.gradients[i];
            std::vector<Real> gradient(row.begin(), row.begin() + dim);
            if (g == Geometry::lorentz) gradient = on_hyperboloid(row, exact[i]);
            for (size_t j = 0; j < exact[i].size(); ++j) {
              ASSERT_NEAR(static_cast<double>(gradient[j]), static_cast<double>(expected[i][j]),
                          1e-9)
                  << kGeometryNames[static_cast<size_t>(g)] << " dim " << dim << " node " << i;
            }
          }
        }
      }
    }
  }
}

TEST(PairKernel, IsExactNearTheBoundaryAndForClosePoints) {
  // Two points 1e-6 apart at distance 15 from the origin, and one on the other side.
  const Real far = std::tanh(7.5L), near = std::tanh(7.5L + 5e-7L);
  const std::vector<double> c{static_cast<double>(far), 0, static_cast<double>(near), 0, -0.5, 0};
  const PointTable points(Geometry::poincare, 2, c);
  const Real x = c[0], y = c[2], a = (1 - x) * (1 + x), b = (1 - y) * (1 + y);
  const Real d = 2 * std::asinh((y - x) / std::sqrt(a * b));
  EXPECT_NEAR(points.read().distance(0, 1) / static_cast<double>(d), 1, 1e-9);
  // its gradient is 2 / a towards the other point; the third is too far away to matter
  const Kernel found(tiles_of(isa()), points);
  const Real other = 2 * std::asinh((x + 0.5L) / std::sqrt(a * 0.75L)),
             p = 1 / (1 + std::exp(d - other));
  EXPECT_NEAR(found.gradients[0][0] / static_cast<double>((1 - p) * -2 / a - (1 - p) * 2 / a), 1,
              1e-8);
}

TEST(PairKernel, IsZeroWherePointsCoincide) {
  for (Geometry g : {Geometry::poincare, Geometry::lorentz, Geometry::euclidean}) {
    const PointTable points(g, 2, std::vector<double>{0.1, 0.2, 0.1, 0.2, 0.1, 0.2});
    const Kernel found(tiles_of(isa()), points);
    EXPECT_NEAR(found.loss, std::log(2), 1e-15);
    for (const auto& row : found.gradients) {
      EXPECT_EQ(row[0], 0);
      EXPECT_EQ(row[1], 0);
    }
  }
}

TEST(Points, KeepGivenCoordinates) {
  for (Geometry g : {Geometry::poincare, Geometry::lorentz, Geometry::euclidean}) {
    const std::vector<double> c = scattered(g, 9, 3);
    const PointTable points(g, 3, c);
    EXPECT_EQ(coordinates_of(points), c);
    const PointRows rows = points.read();
    for (uint32_t a = 0; a < 9; ++a) {
      for (uint32_t b = 0; b < 9; ++b) {
        const std::vector<Real> x(c.begin() + a * 3, c.begin() + a * 3 + 3),
            y(c.begin() + b * 3, c.begin() + b * 3 + 3);
        if (a != b) {
          EXPECT_NEAR(rows.distance(a, b), static_cast<double>(distance(g, x, y)), 1e-12);
        }
      }
    }
  }
}

TEST(Points, AreAlignedToCacheLines) {
  const PointTable points(Geometry::poincare, 100, 5, 1);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(points.rows().data<double>()) % 64, 0U);
  EXPECT_EQ(points.rows().strides()[0] % 8, 0);
}

TEST(Points, RejectsInvalidOptions) {
  auto expect = [](Geometry g, double x, std::string_view part) {
    const std::string said = message_of(Code::value, [&] {
      PointTable(g, 2, std::vector<double>{0, 0, 0, x});
    });
    EXPECT_TRUE(contains(said, "point 1") && contains(said, part)) << said;
  };
  expect(Geometry::poincare, 1, "in the unit ball");
  expect(Geometry::poincare, NAN, "in the unit ball");
  expect(Geometry::lorentz, INFINITY, "finite");
  expect(Geometry::euclidean, NAN, "finite");
}

TEST(Step, MatchesRiemannianGradientDescent) {
  // One step of a point along its gradient, by the formulas of each geometry.
  const std::vector<double> gradient{0.3, -0.8};
  const double rate = 0.1;
  PointTable ball(Geometry::poincare, 2, std::vector<double>{0.5, 0.3});
  step<Ball>(ball, gradient, rate);
  const double scale = rate * std::pow(1 - 0.34, 2) / 4;
  EXPECT_NEAR(ball.read()[0][0], 0.5 - scale * 0.3, 1e-15);
  EXPECT_NEAR(ball.read()[0][1], 0.3 + scale * 0.8, 1e-15);
  PointTable plane(Geometry::euclidean, 2, std::vector<double>{5, 3});
  step<Flat>(plane, gradient, rate);
  EXPECT_NEAR(plane.read()[0][1], 3.08, 1e-15);
}

// Reference step on the hyperboloid: the gradient h of the ambient space (its time part that of a
// function of (t, s)), projected to the tangent space by h + <x, h> x, then the exponential map.
TEST(Step, OnTheHyperboloidIsTheExponentialMap) {
  const std::vector<double> start{0.9, -1.7, 0.4, 2.0, 1.0, -3.0};
  PointTable points(Geometry::lorentz, 3, start);
  const Kernel kernel(tiles_of(isa()), PointTable(Geometry::lorentz, 3,
                                                  std::vector<double>{0.9, -1.7, 0.4, 2.0, 1.0,
                                                                      -3.0, 0.1, 0.2, 0.5}));
  const Real rate = 0.25;
  step<Hyperboloid>(points, kernel.gradients[0], 0.25);
  const std::vector<Real> s(start.begin(), start.begin() + 3);
  // d loss / d s along the hyperboloid is an ambient gradient with time part 0
  const std::vector<Real> h = on_hyperboloid(kernel.gradients[0], s);
  Real ss = 0, sh = 0, length = 0;
  for (int i = 0; i < 3; ++i) {
    ss += s[i] * s[i];
    sh += s[i] * h[i];
  }
  const Real t = std::sqrt(1 + ss);
  std::vector<Real> v;
  for (int i = 0; i < 3; ++i) v.push_back(-rate * (h[i] + sh * s[i]));
  for (Real c : v) length += c * c;
  length = std::sqrt(length - rate * sh * t * rate * sh * t);
  for (int i = 0; i < 3; ++i) {
    const Real moved = std::cosh(length) * s[i] + std::sinh(length) / length * v[i];
    EXPECT_NEAR(coordinates_of(points)[static_cast<size_t>(i)], static_cast<double>(moved), 1e-13);
  }
}

template <class Body>
void expect_inside(Geometry g) {
  PointTable points(g, 2, std::vector<double>{0.5, 0.3});
  for (int i = 0; i < 100; ++i) step<Body>(points, {-1e12, -1e11}, 1);
  const PointRows rows = points.read();
  EXPECT_GT(rows[0][2], 0);
  EXPECT_NEAR(2 * std::atanh(std::hypot(rows[0][0], rows[0][1])), kFurthest, 1e-6);
  EXPECT_EQ(PointTable(g, 2, coordinates_of(points)).read()[0][2], rows[0][2]);
}

TEST(Step, StaysInsideTheManifold) {
  expect_inside<Ball>(Geometry::poincare);
  expect_inside<Hyperboloid>(Geometry::lorentz);
}

Taxonomy chain_with_twigs(uint32_t nodes) {
  NameTable names;
  std::vector<TaxonomyEdge> edges;
  for (uint32_t i = 0; i < nodes; ++i) {
    names.add("n" + std::to_string(i));
    if (i > 0) edges.push_back({i, static_cast<uint32_t>(draw(5, i) % i)});
  }
  return transitive_closure(make_taxonomy(std::move(names), edges)).taxonomy;
}

TEST(Negatives, AreNeverAncestorsOrTheNode) {
  const Taxonomy t = chain_with_twigs(40);
  const NegativeSampler sampler(t);
  for (auto by : {NegativeSampler::By::equal, NegativeSampler::By::frequency}) {
    for (uint32_t node = 0; node < 40; ++node) {
      const auto above = t.above_of(node);
      std::vector<uint32_t> drawn(2000);
      ASSERT_TRUE(sampler.draw(node, by, node, drawn));
      for (uint32_t n : drawn) {
        ASSERT_NE(n, node);
        ASSERT_FALSE(std::binary_search(above.begin(), above.end(), n));
      }
      if (by == NegativeSampler::By::equal) {
        EXPECT_EQ(std::set<uint32_t>(drawn.begin(), drawn.end()).size(), 39 - above.size());
      }
    }
  }
}

TEST(Negatives, HaveTheExpectedFrequencies) {
  const Taxonomy t = chain_with_twigs(30);
  const NegativeSampler sampler(t);
  const uint32_t root = 0;  // no ancestors, so only itself is rejected
  const std::vector<int64_t> below = t.count_below();
  constexpr size_t kDraws = 400000;
  std::vector<uint32_t> drawn(kDraws);
  ASSERT_TRUE(sampler.draw(root, NegativeSampler::By::frequency, 3, drawn));
  double sum = 0;
  for (uint32_t i = 1; i < 30; ++i) sum += std::pow(static_cast<double>(below[i]), 0.75);
  for (uint32_t i = 1; i < 30; ++i) {
    const double share = std::pow(static_cast<double>(below[i]), 0.75) / sum;
    const auto found = static_cast<double>(std::count(drawn.begin(), drawn.end(), i)) / kDraws;
    // the few drawn after eight rejections of the root are uniform over all nodes
    EXPECT_NEAR(found, share, 0.01) << i;
  }
}

TEST(Negatives, WithOneOrNoAllowedNode) {
  // 2 has ancestors 0 and 1, so only 3 is allowed
  NameTable names;
  for (const char* name : {"a", "b", "c", "d"}) names.add(name);
  const std::vector<TaxonomyEdge> edges{{2, 0}, {2, 1}, {3, 0}, {3, 1}, {3, 2}};
  const Taxonomy t = make_taxonomy(std::move(names), edges);
  const NegativeSampler sampler(t);
  std::vector<uint32_t> drawn(50, 9);
  ASSERT_TRUE(sampler.draw(2, NegativeSampler::By::frequency, 1, drawn));
  EXPECT_EQ(std::set<uint32_t>(drawn.begin(), drawn.end()), (std::set<uint32_t>{3}));
  EXPECT_FALSE(sampler.draw(3, NegativeSampler::By::equal, 1, drawn));
}

EmbedOptions quick_options(int64_t epochs, int64_t batch) {
  EmbedOptions o;
  o.epochs = epochs;
  o.negatives = 10;
  o.batch_size = batch;
  o.burn_in = 2;
  o.lr = 0.1;
  o.run.seed = 4;
  return o;
}

TEST(Batches, HoldEveryPairOncePerEpochAndAllMovedRows) {
  const Taxonomy t = chain_with_twigs(50);
  const EmbedOptions options = quick_options(2, 16);
  const PairBatches batches(t, options);
  const size_t width = static_cast<size_t>(batches.width());
  ASSERT_EQ(width, 12U);
  std::vector<std::set<std::pair<uint32_t, uint32_t>>> epochs(2);
  std::vector<uint32_t> first;
  PairBatch b;
  for (int64_t epoch = 0; epoch < 2; ++epoch) {
    for (int64_t i = 0; i < batches.count(); ++i) {
      batches.make(2 + epoch, i, b);  // after burn-in
      std::multiset<std::pair<uint32_t, uint32_t>> moved, expected;
      for (size_t p = 0; p < b.pairs.size() / width; ++p) {
        const uint32_t* nodes = &b.pairs[p * width];
        EXPECT_TRUE(epochs[static_cast<size_t>(epoch)].emplace(nodes[0], nodes[1]).second);
        if (i == 0) first.push_back(nodes[1]);
        expected.emplace(nodes[0], UINT32_MAX);
        for (size_t s = 0; s < 11; ++s) expected.emplace(nodes[1 + s], s);
      }
      for (size_t r = 0; r + 1 < b.rows.size(); ++r) {
        for (uint32_t e = b.rows[r].begin; e < b.rows[r + 1].begin; ++e) {
          const GradientEntry& entry = b.entries[e];
          const uint32_t node = b.rows[r].node, *nodes = &b.pairs[entry.pair * width];
          moved.emplace(node, entry.target);
          const bool child = entry.target == GradientEntry::kIsChild;
          EXPECT_EQ(node, child ? nodes[0] : nodes[1 + entry.target]);
        }
      }
      EXPECT_EQ(b.rows.back().begin, b.entries.size());
      EXPECT_EQ(moved, expected);
    }
  }
  EXPECT_EQ(static_cast<int64_t>(epochs[0].size()), t.pairs());
  EXPECT_EQ(epochs[0], epochs[1]);
  EXPECT_FALSE(std::equal(first.begin(), first.begin() + 16, first.begin() + 16));
}

TEST(EmbedStep, RefusesOtherOperands) {
  const PointTable points(Geometry::poincare, 3, 2, 1);
  const Tensor rate = zeros({1}, {.dtype = DType::f64}), loss = zeros({1}, {.dtype = DType::f64});
  const Tensor pairs = zeros({1, 3}, {.dtype = DType::i32}),
               ends = zeros({1, 2}, {.dtype = DType::i32});
  auto refused = [&](Geometry g, const Tensor& in, const Tensor& given) {
    const Tensor all[] = {points.rows(), rate, given, in, ends}, out[] = {points.rows(), {}, loss};
    return message_of(Code::value, [&] { write(embed_step_of(g), all, out); });
  };
  EXPECT_TRUE(contains(refused(Geometry::poincare, ends, to(pairs, DType::i64)), "wrong dtypes"));
  EXPECT_TRUE(contains(refused(Geometry::poincare, pairs, pairs), "shapes"));
  EXPECT_TRUE(contains(refused(Geometry::lorentz, ends, pairs), "shapes"));  // without `space`
}

std::vector<double> trained(Geometry g, int threads, int64_t stop_after = INT64_MAX) {
  set_num_threads(threads);
  const Taxonomy t = chain_with_twigs(60);
  PointTable points(g, t.nodes(), 3, 1);
  const EmbedOptions options = quick_options(12, 7);
  EmbeddingTrainer::Position at;
  for (int64_t epoch = 0; epoch < 12;) {
    // a new trainer with points from saved coordinates, as in a resumed run
    points = PointTable(g, 3, coordinates_of(points));
    EmbeddingTrainer trainer(t, options, points);
    int64_t asked = 0;
    epoch += trainer.run_epoch(epoch, at, [&] { return asked++ >= stop_after; });
  }
  set_num_threads(0);
  return coordinates_of(points);
}

TEST(Trainer, IsIndependentOfThreadsAndInterruptions) {
  for (Geometry g : {Geometry::poincare, Geometry::lorentz, Geometry::euclidean}) {
    const std::vector<double> once = trained(g, 1);
    for (int threads : {2, 3, 7}) EXPECT_EQ(trained(g, threads), once);
    EXPECT_EQ(trained(g, 2, 1), once);
    EXPECT_EQ(trained(g, 1, 3), once);
  }
}

TEST(Trainer, LossFalls) {
  const Taxonomy t = chain_with_twigs(60);
  for (Geometry g : {Geometry::poincare, Geometry::lorentz, Geometry::euclidean}) {
    PointTable points(g, t.nodes(), 5, 1);
    const EmbedOptions options = quick_options(60, 8);
    EmbeddingTrainer trainer(t, options, points);
    EmbeddingTrainer::Position at;
    std::vector<double> losses;
    for (int64_t epoch = 0; epoch < 60; ++epoch) {
      EXPECT_TRUE(trainer.run_epoch(epoch, at, [] { return false; }));
      losses.push_back(at.loss / static_cast<double>(t.pairs()));
    }
    EXPECT_NEAR(losses[0], std::log(11), 0.1);  // all nodes are equally likely at the start
    EXPECT_LT(losses.back(), 0.5 * losses[0]);
  }
}

TEST(Trainer, SkipsANodeWithoutNegatives) {
  NameTable names;
  for (const char* name : {"a", "b"}) names.add(name);
  const std::vector<TaxonomyEdge> edges{{1, 0}};
  const Taxonomy t = make_taxonomy(std::move(names), edges);
  PointTable points(Geometry::poincare, 2, 2, 1);
  const std::vector<double> before = coordinates_of(points);
  const EmbedOptions options = quick_options(1, 8);
  EmbeddingTrainer trainer(t, options, points);
  EmbeddingTrainer::Position at;
  EXPECT_TRUE(trainer.run_epoch(0, at, [] { return false; }));
  EXPECT_EQ(at.loss, 0);
  EXPECT_EQ(coordinates_of(points), before);
}

TEST(Rate, BurnsInAndDecays) {
  EmbedOptions o;
  o.epochs = 110;
  o.burn_in = 10;
  o.lr = 1;
  EXPECT_DOUBLE_EQ(embed_rate(o, 0), 0.1);
  EXPECT_DOUBLE_EQ(embed_rate(o, 9), 0.1);
  EXPECT_DOUBLE_EQ(embed_rate(o, 10), 1);
  EXPECT_NEAR(embed_rate(o, 109), 0.05, 1e-15);
  EXPECT_NEAR(embed_rate(o, 500), 0.05, 1e-15);
  o.epochs = 11;
  EXPECT_DOUBLE_EQ(embed_rate(o, 10), 1);
}

}  // namespace
}  // namespace gyre
