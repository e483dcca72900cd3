#include "gyre/autograd/backward.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <thread>
#include <vector>

#include "gyre/autograd/hooks.h"
#include "gyre/autograd/test_ops.h"
#include "gyre/op/apply.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/tensor/allocator.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

using testing::leaf;
using testing::of;
using testing::values;
using Values = std::vector<double>;

TEST(Backward, OfAScalarLeafIsOne) {
  Tensor x = leaf({3});
  x.backward();
  EXPECT_EQ(values(x.grad()), Values{1});
}

TEST(Backward, SharedSubexpressionIsSummed) {
  Tensor x = leaf({3});
  Tensor y = x * x;  // both operands are the same tensor
  Tensor z = y * y + y;
  z.backward();
  EXPECT_EQ(values(x.grad()), Values{4 * 27 + 6});  // x^4 + x^2
}

TEST(Backward, DiamondRunsEachNodeOnce) {
  Tensor x = leaf({2});
  int runs = 0;
  Tensor y = testing::counted(x, &runs);
  Tensor z = exp(y) + y * y + sin(y);
  z.backward();
  EXPECT_EQ(runs, 1);
  EXPECT_NEAR(x.grad().item(), std::exp(2) + 4 + std::cos(2), 1e-14);
}

TEST(Backward, DeepDiamondsTakeLinearTime) {
  Tensor x = leaf({1}), y = x;
  for (int i = 0; i < 60; ++i) y = y + y;  // 2^60 paths
  y.backward();
  EXPECT_EQ(x.grad().item(), std::ldexp(1.0, 60));
}

TEST(Backward, AccumulatesOverPassesAndReleasesWhenAsked) {
  Tensor x = leaf({1, 2});
  EXPECT_FALSE(x.grad().defined());
  auto pass = [&] { backward(Tensors{x * x}, Tensors{of({1, 10})}); };
  pass();
  EXPECT_EQ(values(x.grad()), (Values{2, 40}));
  const std::byte* buffer = x.grad().bytes();
  pass();
  EXPECT_EQ(values(x.grad()), (Values{4, 80}));
  EXPECT_EQ(x.grad().bytes(), buffer);  // accumulated in place
  x.zero_grad();
  EXPECT_FALSE(x.grad().defined());
  pass();
  EXPECT_EQ(values(x.grad()), (Values{2, 40}));
}

TEST(Backward, HeldGradientFollows) {
  Tensor x = leaf({1});
  (x * x).backward();
  Tensor held = x.grad();
  (x * x).backward();
  EXPECT_EQ(held.item(), 4);
  EXPECT_EQ(x.grad().item(), 4);
}

TEST(Backward, GradientsOfARecordedPassAreNotShared) {
  Tensor x = leaf({1}), y = leaf({2});
  backward(Tensors{x + y}, {}, {.create_graph = true});
  x.backward();
  EXPECT_EQ(x.grad().item(), 2);
  EXPECT_EQ(y.grad().item(), 1);
}

TEST(Backward, LeavesDoNotShareTheirGradients) {
  Tensor x = leaf({1, 2}), y = leaf({3, 4}), seed = of({5, 6});
  backward(Tensors{x + y}, Tensors{seed});
  EXPECT_NE(x.grad().bytes(), y.grad().bytes());
  EXPECT_NE(x.grad().bytes(), seed.bytes());
  backward(Tensors{x + y}, Tensors{seed});
  EXPECT_EQ(values(x.grad()), (Values{10, 12}));
  EXPECT_EQ(values(y.grad()), (Values{10, 12}));
  EXPECT_EQ(values(seed), (Values{5, 6}));
}

TEST(Backward, BroadcastOperandsGetTheirShapeBack) {
  Tensor x = leaf({1, 2, 3, 4, 5, 6}, {2, 3}), row = leaf({1, 10, 100}), c = leaf({2});
  Tensor column = leaf({7, 8}, {2, 1});
  Tensor ones = of({1, 1, 1, 1, 1, 1}, {2, 3});
  backward(Tensors{x * row * c + column}, Tensors{ones});
  EXPECT_EQ(values(row.grad()), (Values{10, 14, 18}));
  EXPECT_EQ(values(c.grad()), Values{1 + 20 + 300 + 4 + 50 + 600});
  EXPECT_EQ(c.grad().rank(), 0);
  EXPECT_EQ(values(column.grad()), (Values{3, 3}));
  EXPECT_EQ(column.grad().shape(), (Shape{2, 1}));
}

TEST(Backward, GradientHasTheDtypeOfItsTensor) {
  Tensor x = leaf({3});
  Tensor h = empty({2}, DType::f32);
  h.data<float>()[0] = 2;
  h.data<float>()[1] = 5;
  h.set_requires_grad();
  Tensor y = x * h;
  ASSERT_EQ(y.dtype(), DType::f64);
  backward(Tensors{y}, Tensors{of({1, 1})});
  ASSERT_EQ(h.grad().dtype(), DType::f32);
  EXPECT_EQ(h.grad().data<float>()[1], 3);
  EXPECT_EQ(x.grad().dtype(), DType::f64);
  EXPECT_EQ(x.grad().item(), 7);
}

TEST(Backward, SeveralOutputsOfOneNode) {
  for (int used = 1; used < 4; ++used) {  // bit i: output i is used
    Tensor x = leaf({0.3, 1.1});
    auto [s, c] = testing::sin_and_cos(x);
    Tensor y = used == 1 ? s : used == 2 ? c : s * c;
    backward(Tensors{y}, Tensors{of({1, 1})});
    for (size_t i = 0; i < 2; ++i) {
      double v = i ? 1.1 : 0.3;
      double want = used == 1 ? std::cos(v) : used == 2 ? -std::sin(v) : std::cos(2 * v);
      EXPECT_NEAR(values(x.grad())[i], want, 1e-15) << used;
    }
  }
}

TEST(Backward, SeveralRootsAreSummed) {
  Tensor x = leaf({2});
  Tensor y = x * x;
  Tensor z = y * x;  // y is a root and also an intermediate of another
  backward(Tensors{y, z}, Tensors{of({10}), {}});
  EXPECT_EQ(x.grad().item(), 40 + 12);
}

TEST(Backward, CastsTheCotangentOfAnotherFloat) {
  Tensor x = leaf({2});
  Tensor g = empty(Shape{}, DType::f32);
  *g.data<float>() = 3;
  backward(Tensors{x * x}, Tensors{g});
  EXPECT_EQ(x.grad().item(), 12);
}

TEST(Backward, StopsAtDetachAndNoGrad) {
  Tensor x = leaf({2});
  (x * (x * x).detach()).backward();
  EXPECT_EQ(x.grad().item(), 4);
  Tensor silent;
  {
    NoGrad guard;
    silent = x * x;
  }
  EXPECT_FALSE(silent.tracked());
  EXPECT_EQ(error_of([&] { silent.backward(); }).code, Code::value);
}

TEST(Backward, LeavesTheModeOfTheThreadAlone) {
  Tensor x = leaf({2});
  (x * x).backward();
  EXPECT_TRUE(grad_enabled());
  {
    NoGrad guard;
    Tensor y;
    {
      GradMode on(true);
      y = x * x;
    }
    y.backward();  // works under NoGrad
    EXPECT_FALSE(grad_enabled());
  }
  EXPECT_EQ(x.grad().item(), 8);
  Tensor y = x * x;
  y.backward();
  EXPECT_THROW(y.backward(), Error);
  EXPECT_TRUE(grad_enabled());
}

TEST(Backward, NodesWithoutCotangentPropagateNothing) {
  Tensor x = leaf({2}), y = leaf({3});
  Tensor z = testing::blind(exp(x)) + y;  // blind's rule returns an empty cotangent
  z.backward();
  EXPECT_FALSE(x.grad().defined());
  EXPECT_EQ(y.grad().item(), 1);
}

TEST(Backward, FreesTheGraph) {
  int64_t start = live_tensors();
  {
    Tensor x = leaf({2, 3});
    Tensor y = exp(x), z = y * y;
    Tensor seed = of({1, 1});
    Tensor held = sin(z);
    backward(Tensors{held}, Tensors{seed});
    // remaining: x, y, z, held, seed, x.grad; saved tensors are freed
    EXPECT_EQ(live_tensors(), start + 6);
    Error e = error_of([&] { backward(Tensors{held}, Tensors{seed}); });
    EXPECT_EQ(e.code, Code::value);
    EXPECT_NE(std::string(e.what()).find("retain_graph"), std::string::npos) << e.what();
    EXPECT_THROW(backward(Tensors{z * z}, Tensors{seed}), Error);  // part of it was freed
    EXPECT_NEAR(values(x.grad())[0], 2 * std::exp(4) * std::cos(std::exp(4)), 1e-11);
  }
  EXPECT_EQ(live_tensors(), start);
}

TEST(Backward, RetainedGraphRunsAgain) {
  Tensor x = leaf({3});
  Tensor y = x * x * x;
  y.backward(true);
  y.backward(true);
  EXPECT_EQ(x.grad().item(), 54);
  y.backward();
  EXPECT_EQ(x.grad().item(), 81);
  EXPECT_THROW(y.backward(), Error);
}

TEST(Backward, OverwrittenSavedTensorIsAnError) {
  Tensor x = leaf({3}), w = of({2});
  Tensor y = x * w;
  w.impl()->storage->version.fetch_add(1);
  Error e = error_of([&] { y.backward(); });
  EXPECT_EQ(e.code, Code::value);
  EXPECT_EQ(e.op, "mul");
  EXPECT_FALSE(x.grad().defined());
  Tensor s = testing::sin_and_cos(x).first;  // saves its own outputs
  s.impl()->storage->version.fetch_add(1);
  EXPECT_EQ(error_of([&] { (s + s).backward(); }).op, "sin_and_cos");
}

TEST(Backward, RefusesBadCalls) {
  Tensor x = leaf({1, 2}), plain = of({1});
  EXPECT_EQ(error_of([&] { (x * x).backward(); }).code, Code::value);
  EXPECT_EQ(error_of([&] { plain.backward(); }).code, Code::value);
  EXPECT_EQ(error_of([&] { backward(Tensors{x * x}, Tensors{of({1, 2, 3})}); }).code, Code::shape);
  EXPECT_EQ(error_of([&] { backward(Tensors{x * x}, Tensors{plain, plain}); }).code, Code::value);
  EXPECT_EQ(error_of([&] { backward(Tensors{x == x}, Tensors{of({1, 2})}); }).code, Code::dtype);
  EXPECT_EQ(error_of([&] { backward(Tensors{x * x}, Tensors{x == x}); }).code, Code::dtype);
  EXPECT_EQ(error_of([&] { backward(Tensors{Tensor()}); }).code, Code::value);
  double place[2] = {};
  Meta elsewhere = x.meta();
  elsewhere.device = {Device::cuda, 0};
  Tensor far = borrow(place, elsewhere, x.strides(), nullptr, nullptr);
  EXPECT_EQ(error_of([&] { backward(Tensors{x * x}, Tensors{far}); }).code, Code::device);
  Tensor lost = testing::keeps_nothing(leaf({2}));
  EXPECT_EQ(error_of([&] { lost.backward(); }).code, Code::internal);
  EXPECT_FALSE(x.grad().defined());
}

TEST(Backward, AFailingRuleLeavesThePassClean) {
  int64_t start = live_tensors();
  {
    Tensor x = leaf({2});
    Tensor y = testing::failing(x * x) + x;
    EXPECT_EQ(error_of([&] { y.backward(); }).code, Code::numeric);
    EXPECT_TRUE(grad_enabled());
    x.zero_grad();
    (x * x).backward();
    EXPECT_EQ(x.grad().item(), 4);
  }
  EXPECT_EQ(live_tensors(), start);
}

TEST(Backward, SumsAreTakenInReverseTapeOrder) {
  // 1e16 + 1 - 1e16 depends on the order: the last recorded use comes first.
  for (int order = 0; order < 2; ++order) {
    Tensor x = leaf({1});
    Tensor a, b, c;
    if (order == 0) {
      a = x * 1.0, b = x * 1e16, c = x * -1e16;
    } else {
      c = x * -1e16, b = x * 1e16, a = x * 1.0;
    }
    (a + (b + c)).backward();
    EXPECT_EQ(x.grad().item(), order == 0 ? (-1e16 + 1e16) + 1 : (1 + 1e16) - 1e16);
  }
}

TEST(Grad, OfLeavesAndResultsWithoutTouchingGrad) {
  Tensor x = leaf({2}), w = leaf({5});
  Tensor y = x * x;
  Tensor z = y * w + y;
  Tensors g = grad(Tensors{z}, Tensors{x, y, w});
  EXPECT_EQ(g[0].item(), 24);
  EXPECT_EQ(g[1].item(), 6);  // a requested intermediate still propagates its gradient
  EXPECT_EQ(g[2].item(), 4);
  EXPECT_FALSE(x.grad().defined());
  EXPECT_FALSE(w.grad().defined());
}

TEST(Grad, RunsOnlyNodesThatLeadToTheInputs) {
  Tensor x = leaf({2}), w = leaf({3});
  int runs = 0;
  Tensor side = testing::counted(w, &runs);
  Tensor y = x * x;
  Tensor z = y * side;
  EXPECT_EQ(grad(z, y, {.retain_graph = true}).item(), 3);
  EXPECT_EQ(grad(z, x, {.retain_graph = true}).item(), 12);
  EXPECT_EQ(runs, 0);
  EXPECT_EQ(grad(z, w).item(), 4);
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(grad(y, x).item(), 4);  // that branch was not freed by the pass towards w
}

TEST(Grad, OfATensorByItself) {
  Tensor x = leaf({2});
  EXPECT_EQ(grad(x, x).item(), 1);
  Tensor y = x * x;
  EXPECT_EQ(grad(y, y).item(), 1);
}

TEST(Grad, TheSameInputTwice) {
  Tensor x = leaf({2});
  Tensors g = grad(Tensors{x * x}, Tensors{x, x});
  EXPECT_EQ(g[0].item(), 4);
  EXPECT_EQ(g[1].item(), 4);
}

TEST(Grad, UnusedInputs) {
  Tensor x = leaf({2}), other = leaf({3}), plain = of({1});
  Tensor y = x * x;
  EXPECT_EQ(error_of([&] { grad(Tensors{y}, Tensors{x, other}); }).code, Code::value);
  EXPECT_EQ(error_of([&] { grad(Tensors{y}, Tensors{plain}); }).code, Code::value);
  EXPECT_EQ(error_of([&] { grad(Tensors{y}, Tensors{Tensor()}); }).code, Code::value);
  Tensors g = grad(Tensors{y}, Tensors{x, other, plain}, {}, {.allow_unused = true});
  EXPECT_EQ(g[0].item(), 4);  // the failed calls freed nothing
  EXPECT_FALSE(g[1].defined());
  EXPECT_FALSE(g[2].defined());
}

TEST(Grad, ZeroDerivativeGivesZeros) {
  Tensor x = leaf({2, 3});
  Tensor y = testing::blind(x);
  Tensors g = grad(Tensors{y}, Tensors{x}, Tensors{of({1, 1})});
  EXPECT_EQ(values(g[0]), (Values{0, 0}));
}

TEST(CreateGraph, DerivativesOfEveryOrder) {
  double v = 0.7;
  Tensor x = leaf({v});
  Tensor y = sin(x) * exp(x);  // d4 = -4 y
  Tensor d = y;
  for (int order = 1; order <= 4; ++order) d = grad(d, x, {.create_graph = true});
  EXPECT_NEAR(d.item(), -4 * std::sin(v) * std::exp(v), 1e-13);
  EXPECT_NEAR(grad(d, x).item(), -4 * (std::sin(v) + std::cos(v)) * std::exp(v), 1e-13);
}

TEST(CreateGraph, ThirdDerivativeThroughAComposition) {
  double v = 0.4;
  Tensor x = leaf({v});
  int first = 0;
  auto f = [&](const Tensor& t) { return testing::cube_by_composition(t * t, &first); };  // x^6
  EXPECT_NEAR(grad(f(x), x).item(), 6 * std::pow(v, 5), 1e-15);
  EXPECT_EQ(first, 1);  // its first-order rule
  Tensor d1 = grad(f(x), x, {.create_graph = true});
  EXPECT_EQ(first, 1);
  Tensor d2 = grad(d1, x, {.create_graph = true});
  Tensor d3 = grad(d2, x, {.create_graph = true});
  EXPECT_NEAR(d1.item(), 6 * std::pow(v, 5), 1e-14);
  EXPECT_NEAR(d2.item(), 30 * std::pow(v, 4), 1e-14);
  EXPECT_NEAR(d3.item(), 120 * std::pow(v, 3), 1e-13);
  EXPECT_NEAR(grad(d3, x).item(), 360 * std::pow(v, 2), 1e-12);
}

TEST(CreateGraph, CompositionLeavesTheGraphAroundItAlone) {
  Tensor x = leaf({0.4}), w = leaf({2});
  Tensor below = exp(x);
  Tensor y = testing::product_by_composition(below, w * below);  // only w is requested
  Tensor d = grad(y, w, {.create_graph = true});                 // e^2x
  EXPECT_NEAR(d.item(), std::exp(0.8), 1e-15);
  EXPECT_NEAR(grad(d, x, {.retain_graph = true}).item(), 2 * std::exp(0.8), 1e-14);
  EXPECT_NEAR(grad(y, x).item(), 4 * std::exp(0.8), 1e-14);
}

TEST(CreateGraph, CompositionIsUsedWhereThereIsNoOtherRule) {
  Tensor x = leaf({3}), y = leaf({4});
  Tensor z = testing::product_by_composition(x, y);
  z.backward();
  EXPECT_EQ(x.grad().item(), 4);
  EXPECT_EQ(y.grad().item(), 3);
}

TEST(CreateGraph, OnlyAFirstOrderRuleIsUnsupported) {
  Tensor x = leaf({3});
  Tensor y = testing::only_first(x);
  EXPECT_EQ(grad(y, x, {.retain_graph = true}).item(), 6);
  EXPECT_EQ(error_of([&] { grad(y, x, {.create_graph = true}); }).code, Code::unsupported);
}

TEST(CreateGraph, LeafGradientsHoldTheirHistory) {
  Tensor x = leaf({3});
  backward(Tensors{x * x * x}, {}, {.create_graph = true});
  ASSERT_TRUE(x.grad().tracked());
  Tensor penalty = x.grad() * x.grad();  // 9 x^4
  x.zero_grad();
  penalty.backward();
  EXPECT_EQ(x.grad().item(), 36 * 27);
  EXPECT_FALSE(x.grad().tracked());
}

TEST(CreateGraph, BroadcastAndMixedDtypes) {
  Tensor x = leaf({0.5, -1, 2}), c = empty(Shape{}, DType::f32);
  *c.data<float>() = 3;
  c.set_requires_grad();
  Tensors g = grad(Tensors{exp(x * c)}, Tensors{c}, Tensors{of({1, 1, 1})},
                   {.create_graph = true});  // sum x e^(cx), in f32
  ASSERT_EQ(g[0].dtype(), DType::f32);
  Tensor d2 = grad(g[0], c);
  double want = 0;
  for (double v : {0.5, -1.0, 2.0}) want += v * v * std::exp(3 * v);
  EXPECT_NEAR(d2.item(), want, 1e-6 * want);
}

TEST(Memory, GradientPassesDoNotGrow) {
  Tensor x = leaf({1, 2, 3, 4});
  auto step = [&] {
    Tensor y = x;
    for (int i = 0; i < 10; ++i) y = y * x + y;
    backward(Tensors{y}, Tensors{x.detach()});
    x.zero_grad();
  };
  for (int i = 0; i < 3; ++i) step();
  int64_t tensors = live_tensors(), objects = live_objects();
  uint64_t from_system = allocator::stats().from_system;
  for (int i = 0; i < 1000; ++i) step();
  EXPECT_EQ(live_tensors(), tensors);
  EXPECT_EQ(live_objects(), objects);
  EXPECT_EQ(allocator::stats().from_system, from_system);
}

TEST(Memory, IntermediatesAreFreedDuringThePass) {
  Tensor x = empty({1 << 16}, DType::f64);
  for (int64_t i = 0; i < x.numel(); ++i) x.data<double>()[i] = 1e-3 * static_cast<double>(i % 7);
  x.set_requires_grad();
  size_t one = static_cast<size_t>(x.numel()) * sizeof(double);
  size_t base = allocator::stats().in_use;
  Tensor y = x;
  for (int i = 0; i < 20; ++i) y = sin(y);
  Tensor seed = x.detach();
  size_t forward = allocator::stats().in_use;
  EXPECT_GE(forward, base + 20 * one);
  allocator::reset_peak();
  backward(Tensors{y}, Tensors{seed});
  EXPECT_LE(allocator::stats().peak, forward + 3 * one);
  y = {};
  EXPECT_LE(allocator::stats().in_use, base + 2 * one);
}

TEST(Threads, TwoModelsOnTwoThreads) {
  Tensor shared = of({0.5, 0.25});  // an input of both
  auto train = [&](double start, double* result) {
    Tensor w = leaf({start, start});
    for (int step = 0; step < 50; ++step) {
      Tensor y = tanh(w * shared) * shared;
      backward(Tensors{y}, Tensors{shared});
      double* p = w.data<double>();
      for (int i = 0; i < 2; ++i) p[i] -= 0.1 * w.grad().data<double>()[i];
      w.zero_grad();
    }
    *result = w.data<double>()[0];
  };
  double a = 0, b = 0, alone = 0;
  std::thread first(train, 1.0, &a), second(train, 1.0, &b);
  first.join();
  second.join();
  train(1.0, &alone);
  EXPECT_EQ(a, alone);
  EXPECT_EQ(b, alone);
}

TEST(Threads, GradientsBySharedLeaves) {
  Tensor w = leaf({3});
  auto ask = [&] {
    for (int i = 0; i < 200; ++i) EXPECT_EQ(grad(w * w, w).item(), 6);
  };
  std::thread other(ask);
  ask();
  other.join();
}

void on_four_threads(const std::function<void()>& call) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(call);
  for (std::thread& t : threads) t.join();
}

TEST(Threads, PassesOverOneGraphTakeTurns) {
  Tensor x = leaf({0.5}), y = x;
  for (int i = 0; i < 100; ++i) y = sin(y) + y;
  const double alone = grad(y, x, {.retain_graph = true}).item();
  on_four_threads([&] {
    for (int i = 0; i < 200; ++i) {
      EXPECT_EQ(grad(y, x, {.retain_graph = true}).item(), alone);
    }
  });
}

TEST(Threads, OnlyOneOfThemUsesUpAGraph) {
  Tensor x = leaf({0.5}), y = x;
  for (int i = 0; i < 1000; ++i) y = sin(y) + y;
  std::atomic<int> refused{0};
  on_four_threads([&] {
    try {
      y.backward();
    } catch (const Error& e) {
      EXPECT_EQ(e.code, Code::value);
      ++refused;
    }
  });
  EXPECT_EQ(refused, 3);
}

TEST(Threads, SumsInOneLeafLoseNothing) {
  Tensor w = leaf({3});
  on_four_threads([&] {
    for (int i = 0; i < 500; ++i) (w * 2.0).backward();
  });
  EXPECT_EQ(w.grad().item(), 4000);
}

TEST(Threads, ReadyHooksSeeWholeSums) {
  Tensor w = full({1 << 14}, 3, {DType::f64}).set_requires_grad();
  std::atomic<int> torn{0};
  on_gradient_ready(w, [&](const Tensor& g) {
    Values all = values(g);
    torn += *std::ranges::min_element(all) != *std::ranges::max_element(all);
  });
  on_four_threads([&] {
    for (int i = 0; i < 100; ++i) sum(w * 2.0).backward();
  });
  EXPECT_EQ(torn, 0);
  EXPECT_EQ(values(w.grad())[5], 800);
}

TEST(Backward, ANestedPassCannotVisitItsNodes) {
  struct Inner final : GradientHook {
    Tensor operator()(const Tensor&) override { return grad(of, by, {.retain_graph = true}); }
    Tensor of, by;
  };
  Tensor x = leaf({2}), middle = x * x, y = middle * middle;
  Ref<Inner> hook(new Inner);
  hook->of = middle;
  hook->by = x;
  HookHandle handle = on_gradient(middle, Ref<GradientHook>(hook));
  EXPECT_EQ(code_of([&] { grad(y, x, {.retain_graph = true}); }), Code::value);
  handle.remove();
  EXPECT_EQ(grad(y, x, {.retain_graph = true}).item(), 32);
  // nodes that the outer pass has finished may be visited
  hook->of = y;
  hook->by = middle;
  HookHandle later = on_gradient(x, Ref<GradientHook>(hook));
  x.zero_grad();
  backward(Tensors{y}, {}, {.retain_graph = true});
  EXPECT_EQ(x.grad().item(), 8);
  later.remove();  // x holds the hook, and the hook a result of x
}

TEST(Backward, DoesNotWriteIntoBorrowedGradients) {
  alignas(8) double lent[] = {1, 2};
  Tensor x = leaf({3, 4});
  x.set_grad(borrow(lent, x.meta(), Shape{1}, nullptr, nullptr));
  backward(Tensors{x * 2.0}, Tensors{of({1, 1})});
  EXPECT_EQ(values(x.grad()), (Values{3, 4}));
  EXPECT_EQ(lent[0], 1);
  EXPECT_EQ(lent[1], 2);
}

}  // namespace
}  // namespace gyre
