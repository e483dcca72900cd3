#include "gyre/packed/training/hybrid.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gyre/autograd/backward.h"
#include "gyre/base/thread_pool.h"
#include "gyre/nn/linear.h"
#include "gyre/op/node.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/optim/optimizer_def.h"
#include "gyre/packed/test_packed.h"
#include "gyre/packed/training/riemannian_step.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

// The mean squared difference of x w^T from what another matrix gives.
struct Problem {
  Tensor x, y;
  explicit Problem(const Shape& shape, uint64_t seed = 7)
      : x(normal({256, shape[1]}, seed)), y(linear(x, normal(shape, seed + 1) * Tensor(0.1))) {}
  [[nodiscard]] Tensor loss(const Tensor& w) const {
    const Tensor off = linear(x, w) - y;
    return mean(off * off);
  }
};

double step(Optimizer& optimizer, const Tensor& w, const Problem& problem) {
  optimizer.zero_grad();
  const Tensor loss = problem.loss(w);
  loss.backward();
  optimizer.step();
  return loss.item();
}

TEST(Hybrid, TrainsPackedWeightsInBothModes) {
  for (HybridMode mode : {HybridMode::shadow, HybridMode::shadow_free}) {
    for (const RingFormat& format : ring_formats()) {
      const Tensor w = packed_leaf(0.1, {32, 48}, format, 1);
      const Problem problem({32, 48});
      HybridOptimizer optimizer(std::vector<Tensor>{w}, {.lr = 0.01, .mode = mode});
      const double first = step(optimizer, w, problem);
      for (int i = 0; i < 100; ++i) step(optimizer, w, problem);
      const double part = format.error * format.error;
      NoGrad off;  // what the words give
      EXPECT_LT(problem.loss(w).item(),
                ((mode == HybridMode::shadow ? 0.05 : 0.2) + 2 * part) * first)
          << format.name << " " << static_cast<int>(mode);
    }
  }
}

// What stands in for words while their shadow is trained goes when the words change otherwise.
TEST(Hybrid, AShadowEndsWithItsWords) {
  const RingFormat& d4 = ring_format("D4");
  const Problem problem({32, 48});
  const auto trained = [&] {
    const Tensor w = packed_leaf(0.1, {32, 48}, d4, 1);
    HybridOptimizer optimizer(std::vector<Tensor>{w}, {.lr = 0.01});
    for (int i = 0; i < 3; ++i) step(optimizer, w, problem);
    return w;
  };
  const auto of_words = [&](const Tensor& w) {
    NoGrad off;
    return problem.loss(w).item();
  };
  const Tensor loaded = trained(), other = packed_leaf(0.1, {32, 48}, d4, 2);
  EXPECT_NE(problem.loss(loaded).item(), of_words(loaded));
  kind_storage(loaded).assign(kind_storage(other));
  EXPECT_NEAR(problem.loss(loaded).item(), of_words(other), 1e-6);
  const Tensor w = trained();
  HybridOptimizer words(std::vector<Tensor>{w}, {.lr = 0.01, .mode = HybridMode::shadow_free});
  step(words, w, problem);
  EXPECT_NEAR(problem.loss(w).item(), of_words(w), 1e-6);
}

TEST(Hybrid, SettlingEncodesTheShadowAndChangesNoLaterStep) {
  const Problem problem({32, 48});
  const auto trained = [&](bool settles) {
    const Tensor w = packed_leaf(0.1, {32, 48}, ring_format("D4"), 1);
    HybridOptimizer optimizer(std::vector<Tensor>{w}, {.lr = 0.01, .reencode_every = 8});
    optimizer.settle();
    for (int i = 0; i < 20; ++i) {
      step(optimizer, w, problem);
      if (!settles) continue;
      const std::string before = bytes_of(w);
      optimizer.settle();
      EXPECT_EQ(bytes_of(w) == before, (i + 1) % 8 == 0) << i;
    }
    optimizer.settle();
    NoGrad off;
    EXPECT_NEAR(problem.loss(w).item(), problem.loss(packed_decode(w)).item(), 1e-6);
    return bytes_of(w);
  };
  EXPECT_EQ(trained(true), trained(false));
}

TEST(Hybrid, WorkRepeatsWithTheEncodings) {
  const auto cycle = [](const Tensor& w, HybridMode mode) {
    return HybridOptimizer(std::vector<Tensor>{w}, {.mode = mode, .reencode_every = 8}).cycle();
  };
  const Tensor packed = packed_leaf(0.1, {32, 48}, ring_format("D4"), 1);
  Tensor plain = zeros({4, 4});
  plain.set_requires_grad();
  EXPECT_EQ(cycle(packed, HybridMode::shadow), 8);
  EXPECT_EQ(cycle(packed, HybridMode::shadow_free), 1);
  EXPECT_EQ(cycle(plain, HybridMode::shadow), 1);
}

TEST(Hybrid, GradientsThatAreNotFiniteChangeNothing) {
  const Tensor w = packed_leaf(0.1, {32, 48}, ring_format("T4"), 1);
  HybridOptimizer optimizer(std::vector<Tensor>{w}, {.mode = HybridMode::shadow_free});
  step(optimizer, w, Problem({32, 48}));
  const std::string before = bytes_of(w);
  for (const bool in_x : {true, false}) {
    optimizer.zero_grad();
    Tensor x = normal({4, 48}, 3), g = normal({4, 32}, 4);
    (in_x ? x : g).data<float>()[5] = NAN;
    const Tensor y = linear(x, w);
    backward({&y, 1}, {&g, 1});
    EXPECT_EQ(code_of([&] { optimizer.step({.non_finite = NonFinite::apply}); }), Code::numeric);
    EXPECT_EQ(bytes_of(w), before);
  }
  optimizer.zero_grad();
  w.impl()->grad = (normal({32, 48}, 5) / Tensor(0.0)).ref();
  EXPECT_EQ(code_of([&] { optimizer.step({.non_finite = NonFinite::apply}); }), Code::numeric);
  EXPECT_EQ(bytes_of(w), before);
}

TEST(Hybrid, TileLossesThatItAcceptsNeverRise) {
  for (const RingFormat& format : ring_formats()) {
    const Tensor w = packed_leaf(0.1, {32, 48}, format, 1);
    const Problem problem({32, 48});
    hybrid_counts(true);
    HybridOptimizer optimizer(std::vector<Tensor>{w},
                              {.lr = 0.02, .mode = HybridMode::shadow_free});
    for (int i = 0; i < 10; ++i) step(optimizer, w, problem);
    const WordStepCounts counts = hybrid_counts();
    EXPECT_EQ(counts.tiles,
              10 * packed_storage(w).layout.row_tiles() * packed_storage(w).layout.col_tiles());
    EXPECT_GT(counts.changed, 0) << format.name;
    EXPECT_GT(counts.worst, 0) << format.name;
  }
}

// Words, headers and all that the optimiser keeps.
TEST(Hybrid, TakesLittleMemoryWithoutAShadow) {
  for (const RingFormat& format : ring_formats()) {
    const Tensor w = packed_leaf(0.1, {128, 512}, format, 1);
    const Problem problem({128, 512});
    HybridOptimizer optimizer(std::vector<Tensor>{w}, {.mode = HybridMode::shadow_free});
    step(optimizer, w, problem);
    auto bytes = static_cast<double>(packed_storage(w).bytes);
    for (const NamedTensor& t : optimizer.state_dict())
      bytes +=
          static_cast<double>(t.tensor.numel() * static_cast<int64_t>(size_of(t.tensor.dtype())));
    EXPECT_LE(bytes / static_cast<double>(w.numel()), 1.6) << format.name;
  }
}

TEST(Hybrid, GivesTheSameWordsOnAnyNumberOfThreads) {
  for (HybridMode mode : {HybridMode::shadow, HybridMode::shadow_free}) {
    std::string wanted;
    for (int threads : {1, 2, 7}) {
      set_num_threads(threads);
      const Tensor w = packed_leaf(0.1, {80, 48}, ring_format("D2"), 1);
      const Problem problem({80, 48});
      HybridOptimizer optimizer(std::vector<Tensor>{w}, {.mode = mode, .reencode_every = 2});
      for (int i = 0; i < 4; ++i) step(optimizer, w, problem);
      if (wanted.empty()) wanted = bytes_of(w);
      EXPECT_EQ(bytes_of(w), wanted) << threads;
    }
  }
  set_num_threads(0);
}

TEST(Hybrid, ContinuesFromItsState) {
  for (HybridMode mode : {HybridMode::shadow, HybridMode::shadow_free}) {
    const Problem problem({32, 48});
    const Tensor w = packed_leaf(0.1, {32, 48}, ring_format("T4"), 1);
    const HybridOptions options{.mode = mode, .reencode_every = 3};
    HybridOptimizer optimizer(std::vector<Tensor>{w}, options);
    for (int i = 0; i < 4; ++i) step(optimizer, w, problem);
    Tensor other = clone(w.detach());
    other.set_requires_grad();
    HybridOptimizer resumed(std::vector<Tensor>{other}, options);
    resumed.load_state_dict(optimizer.state_dict());
    for (int i = 0; i < 4; ++i) {
      step(optimizer, w, problem);
      step(resumed, other, problem);
    }
    EXPECT_EQ(bytes_of(w), bytes_of(other));
  }
}

TEST(Hybrid, OthersRefusePackedTensors) {
  const Tensor w = packed_leaf(0.1, {32, 48}, ring_format("D4"), 1);
  for (const OptimizerDef* def : {&adamw_optimizer, &sgd_optimizer, &muon_optimizer}) {
    const std::string text = message_of(Code::value, [&] {
      OpenAttrs options(*def->options);
      def->make({&w, 1}, options.memory);
    });
    EXPECT_TRUE(contains(text, "hybrid")) << text;
  }
}

TEST(RiemannianStep, DescendsWhateverTheCoordinates) {
  // L = (u cos theta - a)^2 + (u sin theta - b)^2, whose minimum is at angle atan2(b, a)
  const double a = 0.3, b = -0.4;
  std::vector<float> p{1.0F, 2.0F}, m(2), v(2);
  for (int64_t t = 1; t <= 2000; ++t) {
    const double u = p[0], th = p[1], dx = u * std::cos(th) - a, dy = u * std::sin(th) - b;
    const float g[] = {static_cast<float>(2 * (dx * std::cos(th) + dy * std::sin(th))),
                       static_cast<float>(2 * u * (dy * std::cos(th) - dx * std::sin(th)))};
    riemannian_step({.lr = 0.01, .step = t}, g, true, p, m, v);
  }
  EXPECT_NEAR(p[0], 0.5, 0.01);
  EXPECT_NEAR(p[1], std::atan2(b, a), 0.02);
}

TEST(RiemannianStep, TurnsAroundTheOrigin) {
  std::vector<float> p{0.001F, 0.5F, 0.001F, 0}, m(4), v(4);
  const float g[] = {1, 0, 1, 0};
  riemannian_step({.lr = 0.1}, g, true, p, m, v);
  EXPECT_NEAR(p[0], 0.099, 1e-3);
  EXPECT_NEAR(p[1], 0.5 - 3.14159265, 1e-5);
  std::vector<float> q{0.001F, 0}, n(2), w(2);
  riemannian_step({.lr = 0.1}, {g, 2}, false, q, n, w);
  EXPECT_FLOAT_EQ(q[0], 0.0005F);
}

}  // namespace
}  // namespace gyre
