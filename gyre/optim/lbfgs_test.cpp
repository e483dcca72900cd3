#include "gyre/optim/lbfgs.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gyre/ops/reduce/reduce.h"
#include "gyre/optim/test_parameters.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

// Rosenbrock's function of x and y in two parameters; its minimum 0 is at (1, 1).
double rosenbrock(std::span<const Tensor> p) {
  for (const Tensor& t : p) t.impl()->grad = {};
  const Tensor a = 1 - p[0], b = p[1] - p[0] * p[0];
  const Tensor loss = sum(a * a + 100 * (b * b));
  loss.backward();
  return loss.item();
}

std::vector<Tensor> start() {
  const auto at = [](double x) { return full({1}, x, {DType::f64}).set_requires_grad(); };
  return {at(-1.5), at(2)};
}

TEST(Lbfgs, StrongWolfeFindsRosenbrocksMinimum) {
  std::vector<Tensor> p = start();
  Lbfgs optimizer(p, {.max_iter = 60, .line_search_fn = LineSearch::strong_wolfe});
  int calls = 0;
  const double first = optimizer.step([&] { return ++calls, rosenbrock(p); });
  EXPECT_EQ(first, 100 * 0.0625 + 6.25);
  EXPECT_NEAR(p[0].detach().item(), 1, 1e-5);
  EXPECT_NEAR(p[1].detach().item(), 1, 1e-5);
  EXPECT_LT(calls, 76);
}

TEST(Lbfgs, ConvergesFastOnAQuadratic) {
  Tensor x = leaf({5}, 1, DType::f64);
  const Tensor scale = tensor({1, 2, 5, 10, 20});
  Lbfgs optimizer(std::vector<Tensor>{x},
                  {.max_iter = 30, .line_search_fn = LineSearch::strong_wolfe});
  optimizer.step([&] {
    x.impl()->grad = {};
    const Tensor loss = sum(x * x * scale);
    loss.backward();
    return loss.item();
  });
  EXPECT_LT(max(abs(x.detach())).item(), 1e-4);
}

TEST(Lbfgs, StepsInTwoHalvesGiveTheSameBits) {
  std::vector<Tensor> whole = start(), halves = start();
  const LbfgsOptions o{.lr = 0.1, .max_iter = 3};
  Lbfgs through(whole, o), before(halves, o);
  for (int i = 0; i < 4; ++i) through.step([&] { return rosenbrock(whole); });
  for (int i = 0; i < 2; ++i) before.step([&] { return rosenbrock(halves); });
  Lbfgs after(halves, o);
  after.load_state_dict(copy_of(before.state_dict()));
  for (int i = 0; i < 2; ++i) after.step([&] { return rosenbrock(halves); });
  EXPECT_EQ(bits_of(after.state_dict(), halves), bits_of(through.state_dict(), whole));
}

TEST(Lbfgs, EndsWhereTheGradientVanishes) {
  Tensor x = zeros({2}).set_requires_grad();
  Lbfgs optimizer(std::vector<Tensor>{x});
  int calls = 0;
  EXPECT_EQ(optimizer.step([&] {
    ++calls;
    x.set_grad(zeros({2}));
    return 7.0;
  }),
            7);
  EXPECT_EQ(calls, 1);
}

TEST(Lbfgs, Refusals) {
  Tensor x = leaf({2}, 1), d = leaf({2}, 1, DType::f64);
  EXPECT_EQ(code_of([&] { Lbfgs(std::vector<Tensor>{}); }), Code::value);
  EXPECT_EQ(code_of([&] { Lbfgs(std::vector<Tensor>{x * x}); }), Code::value);
  EXPECT_EQ(code_of([&] { Lbfgs(std::vector<Tensor>{x, d}); }), Code::dtype);
  EXPECT_EQ(code_of([&] { Lbfgs(std::vector<Tensor>{x}, {.history_size = 0}); }), Code::value);
  Lbfgs optimizer(std::vector<Tensor>{x});
  EXPECT_EQ(code_of([&] { optimizer.set_options({.lr = -1}); }), Code::value);
  std::vector<NamedTensor> state = optimizer.state_dict();
  state.push_back({"changes", zeros({1, 2})});
  state.push_back({"gradient_changes", zeros({1, 2})});
  EXPECT_EQ(code_of([&] { optimizer.load_state_dict(state); }), Code::value) << "no direction";
  state.resize(2);
  state.push_back({"other", x});
  EXPECT_EQ(code_of([&] { optimizer.load_state_dict(state); }), Code::value);
}

}  // namespace
}  // namespace gyre
