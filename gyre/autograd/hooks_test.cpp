#include "gyre/autograd/hooks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "gyre/autograd/backward.h"
#include "gyre/autograd/test_ops.h"
#include "gyre/base/error.h"
#include "gyre/op/node.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

using testing::leaf;
using testing::of;
using testing::values;
using Values = std::vector<double>;

TEST(Hooks, SeeTheWholeGradientOnce) {
  Tensor x = leaf({2}), seen_by_leaf;
  Tensor y = x * x;
  std::vector<double> seen;
  on_gradient(y, [&](const Tensor& g) { seen.push_back(g.item()); });
  on_gradient(x, [&](const Tensor& g) { seen_by_leaf = g; });
  (y * y + y).backward();
  EXPECT_EQ(seen, Values{9});
  EXPECT_EQ(seen_by_leaf.item(), 36);
  EXPECT_EQ(x.grad().item(), 36);
}

TEST(Hooks, SeeALeafThatIsARootOnce) {
  Tensor x = leaf({2});
  int calls = 0;
  on_gradient(x, [&](const Tensor& g) {
    ++calls;
    return g * 3.0;
  });
  EXPECT_EQ(grad(Tensors{x, x}, Tensors{x})[0].item(), 6);
  EXPECT_EQ(calls, 1);
  backward(Tensors{x, x, x * x});
  EXPECT_EQ(x.grad().item(), 18);
  EXPECT_EQ(calls, 2);
}

TEST(Hooks, ReplaceTheGradientInOrder) {
  Tensor x = leaf({2});
  Tensor y = x * x;
  on_gradient(y, [](const Tensor& g) { return g * 10.0; });
  on_gradient(y, [](const Tensor& g) { return g + 1.0; });
  on_gradient(x, [](const Tensor& g) { return -g; });
  y.backward();
  EXPECT_EQ(x.grad().item(), -44);
  // the gradient accumulated before does not pass through the hook again
  (x * 1.0).backward();
  EXPECT_EQ(x.grad().item(), -45);
}

TEST(Hooks, WorkInGradAndOnOneOutputOfSeveral) {
  Tensor x = leaf({0.5});
  auto [s, c] = testing::sin_and_cos(x);
  int calls = 0;
  on_gradient(c, [&](const Tensor& g) {
    ++calls;
    return g * 0.0;
  });
  on_gradient(x, [](const Tensor& g) { return g * 2.0; });
  Tensor d = grad(s + c, x);
  EXPECT_DOUBLE_EQ(d.item(), 2 * std::cos(0.5));
  EXPECT_EQ(calls, 1);
  EXPECT_FALSE(x.grad().defined());
}

TEST(Hooks, CanBeDifferentiatedThrough) {
  Tensor x = leaf({3});
  Tensor y = x * x;
  on_gradient(y, [](const Tensor& g) { return g * g; });
  Tensor seed = leaf({2});
  Tensor d = grad(Tensors{y}, Tensors{x}, Tensors{seed}, {.create_graph = true})[0];  // 2 x seed^2
  EXPECT_EQ(d.item(), 24);
  EXPECT_EQ(grad(d, seed).item(), 24);
}

TEST(Hooks, AreRemoved) {
  Tensor x = leaf({1});
  int first = 0, second = 0;
  HookHandle a = on_gradient(x, [&](const Tensor&) { ++first; });
  HookHandle b = on_gradient(x, [&](const Tensor&) { ++second; });
  (x * x).backward();
  a.remove();
  a.remove();
  (x * x).backward();
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 2);
  HookHandle().remove();
  b.remove();
  (x * x).backward();
  EXPECT_EQ(second, 2);
}

TEST(Hooks, MayRemoveThemselves) {
  Tensor x = leaf({1});
  int calls = 0;
  HookHandle self;
  self = on_gradient(x, [&](const Tensor&) {
    ++calls;
    self.remove();
  });
  (x * x).backward();
  (x * x).backward();
  EXPECT_EQ(calls, 1);
}

TEST(Hooks, AreNotKeptAliveByTheirHandles) {
  auto held = std::make_shared<HookHandle>();
  const std::weak_ptr<HookHandle> gone = held;
  Tensor x = leaf({1});
  *held = on_gradient(x, [held](const Tensor&) {});
  held.reset();
  EXPECT_FALSE(gone.expired());
  x = {};
  EXPECT_TRUE(gone.expired());
}

TEST(Hooks, AreRemovedAfterTheirTensorIsGone) {
  const int64_t before = live_objects();
  HookHandle of_a_leaf, of_a_result;
  {
    Tensor x = leaf({1}), y = x * x;
    of_a_leaf = on_gradient(x, [](const Tensor&) {});
    of_a_result = on_gradient(y, [](const Tensor&) {});
  }
  of_a_leaf.remove();
  of_a_result.remove();
  EXPECT_EQ(live_objects(), before);
}

TEST(Hooks, MayRunBackwardThemselves) {
  Tensor x = leaf({3}), w = leaf({5});
  Tensor y = x * x;
  on_gradient(y, [&](const Tensor& g) {
    GradMode recording(true);
    (w * w * g).backward();
  });
  (y + y).backward();
  EXPECT_EQ(x.grad().item(), 12);
  EXPECT_EQ(w.grad().item(), 20);
}

TEST(Hooks, RefuseWhatDoesNotFit) {
  Tensor x = leaf({1, 2});
  auto code_with = [&](auto hook) {
    HookHandle handle = on_gradient(x, hook);
    Code code = code_of([&] { backward(Tensors{x * x}, Tensors{of({1, 1})}); });
    handle.remove();
    return code;
  };
  EXPECT_EQ(code_with([](const Tensor&) { return of({1, 2, 3}); }), Code::shape);
  EXPECT_EQ(code_with([](const Tensor&) { return empty({2}, DType::f32); }), Code::dtype);
  EXPECT_FALSE(x.grad().defined());
  EXPECT_THROW(on_gradient(of({1}), [](const Tensor&) {}), Error);
  EXPECT_THROW(on_gradient_ready(of({1}), [](const Tensor&) {}), Error);
  EXPECT_THROW(on_gradient_ready(x * x, [](const Tensor&) {}), Error);
}

TEST(Ready, ComesWhenALeafIsDoneAndBeforeEarlierOnes) {
  Tensor early = leaf({2}), late = leaf({3});
  std::vector<std::string> order;
  on_gradient_ready(early,
                    [&](const Tensor& g) { order.push_back("early " + std::to_string(g.item())); });
  on_gradient_ready(late, [&](const Tensor& g) {
    order.push_back("late " + std::to_string(g.item()));
    EXPECT_FALSE(early.grad().defined());
  });
  (early * early * late * late).backward();
  EXPECT_EQ(order, (std::vector<std::string>{"late 24.000000", "early 36.000000"}));
}

TEST(Ready, SeesTheAccumulatedGradientAndNotGrad) {
  Tensor x = leaf({2});
  std::vector<double> seen;
  on_gradient_ready(x, [&](const Tensor& g) { seen.push_back(g.item()); });
  (x * x).backward();
  (x * x).backward();
  grad(x * x, x);
  EXPECT_EQ(seen, (Values{4, 8}));
}

TEST(Ready, MayReleaseTheGradient) {
  Tensor x = leaf({2});
  on_gradient_ready(x, [&](const Tensor&) { x.zero_grad(); });
  (x * x).backward();
  EXPECT_FALSE(x.grad().defined());
}

}  // namespace
}  // namespace gyre
