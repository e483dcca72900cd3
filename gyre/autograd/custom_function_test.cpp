#include "gyre/autograd/custom_function.h"

#include <gtest/gtest.h>

#include "gyre/autograd/backward.h"
#include "gyre/autograd/checkpoint.h"
#include "gyre/autograd/gradcheck.h"
#include "gyre/autograd/hooks.h"
#include "gyre/autograd/test_ops.h"
#include "gyre/autograd/vmap.h"
#include "gyre/op/node.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"
#include "tests/largest_difference.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

using testing::leaf;
using testing::of;
using testing::values;

constexpr double kRounding = 1e-12;

// x^2 y, with a count of backward runs.
auto product(int* runs = nullptr) {
  auto forward = [](Inputs in) -> Tensors { return {in[0] * in[0] * in[1]}; };
  auto backward = [runs](const BackwardCall& c) -> Tensors {
    if (runs) ++*runs;
    return {c.wanted[0] ? 2.0 * c.in[0] * c.in[1] * c.grad[0] : Tensor(),
            c.wanted[1] ? c.in[0] * c.in[0] * c.grad[0] : Tensor()};
  };
  return custom_function(forward, backward);
}

// e^x sin x; saves e^x, which takes part in second derivatives.
auto keeping() {
  auto forward = [](Inputs in) -> Tensors {
    Tensor e = exp(in[0]);
    return {e * sin(in[0]), e};
  };
  auto backward = [](const BackwardCall& c) -> Tensors {
    Tensor g;
    if (c.grad[0].defined()) g = c.grad[0] * (c.out[0] + c.out[1] * cos(c.in[0]));
    if (c.grad[1].defined()) {
      Tensor of_kept = c.grad[1] * c.out[1];
      g = g.defined() ? g + of_kept : of_kept;
    }
    return {g};
  };
  return custom_function(forward, backward, 1);
}

TEST(CustomFunction, HasItsOwnRule) {
  int runs = 0;
  Tensor x = leaf({1, 2}), y = leaf({3, 4});
  Tensor z = product(&runs)(x, y);
  EXPECT_EQ(node_of(z)->op->name, std::string("custom_function"));
  sum(z).backward();
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(values(x.grad()), (std::vector<double>{6, 16}));
  EXPECT_EQ(values(y.grad()), (std::vector<double>{1, 4}));
  NoGrad off;
  EXPECT_FALSE(product()(x, y).tracked());
}

TEST(CustomFunction, EveryOrderAndSavedResults) {
  Tensors in{leaf({0.3, -0.7}), leaf({1.2, 0.4})};
  auto f = [](Inputs x) -> Tensors { return product()(x); };
  EXPECT_TRUE(gradcheck(f, in));
  EXPECT_TRUE(gradgradcheck(f, in));
  auto g = [](Inputs x) -> Tensors { return keeping()(x.first(1)); };
  EXPECT_EQ(g(in).size(), 1u);
  EXPECT_TRUE(gradcheck(g, Inputs(in).first(1)));
  EXPECT_TRUE(gradgradcheck(g, Inputs(in).first(1)));
  auto third = [](const Tensor& x) { return keeping()(x); };
  Tensor x = of({0.3, -0.7});
  auto second = [&](const Tensor& t) { return sum(grad2(third, t)); };  // 2 e^x cos x
  EXPECT_LT(largest_difference(grad(second, x), 2.0 * exp(x) * (cos(x) - sin(x))), kRounding);
}

TEST(CustomFunction, HooksCheckpointsAndBatches) {
  Tensor x = leaf({1, 2}), y = of({3, 4});
  Tensor z = product()(x, y);
  on_gradient(z, [](const Tensor& g) { return 10.0 * g; });
  sum(z).backward();
  EXPECT_EQ(values(x.grad()), (std::vector<double>{60, 160}));
  auto body = [](Inputs in) -> Tensors { return {sum(keeping()(in[0]))}; };
  Tensor w = leaf({0.3, -0.7});
  Tensor plain = grad(sum(keeping()(w)), w);
  EXPECT_EQ(largest_difference(grad(checkpoint(body, Inputs(&w, 1))[0], w), plain), 0);
  auto slope = [](const Tensor& t) {
    return grad([](const Tensor& u) { return keeping()(u); }, t);
  };
  EXPECT_LT(largest_difference(vmap(slope)(w.detach()), plain), kRounding);
  auto whole = [](const Tensor& t) {
    return sum(vmap([](const Tensor& u) { return keeping()(u); })(t));
  };
  EXPECT_LT(largest_difference(grad(whole, w.detach()), plain), kRounding);
  auto curve = [&](const Tensor& t) { return sum(vmap(slope)(t)); };
  Tensor x0 = w.detach();
  EXPECT_LT(largest_difference(grad(curve, x0), 2.0 * exp(x0) * cos(x0)), kRounding);
}

TEST(CustomFunction, MayGiveBackItsInput) {
  int64_t before = live_tensors();
  {
    Tensor x = leaf({1, 2}), other = leaf({5});
    auto forward = [other](Inputs in) -> Tensors { return {in[0], other}; };
    auto backward = [](const BackwardCall& c) -> Tensors {
      return {c.grad[0].defined() ? 3.0 * c.grad[0] : Tensor()};
    };
    auto f = custom_function(forward, backward);
    Tensors y = f(Inputs(&x, 1));
    ASSERT_EQ(y.size(), 2u);
    EXPECT_TRUE(x.requires_grad() && !node_of(x) && !node_of(other));
    EXPECT_EQ(values(grad(sum(y[0]), x)), (std::vector<double>{3, 3}));
  }
  EXPECT_EQ(live_tensors(), before);
}

TEST(CustomFunction, SupportsMoreThan64Results) {
  auto forward = [](Inputs in) -> Tensors {
    Tensors out;
    for (int i = 0; i < 70; ++i) out.push_back(in[0] * double(i));
    return out;
  };
  auto backward = [](const BackwardCall& c) -> Tensors { return {c.grad[69] * c.out[69]}; };
  Tensor x = leaf({1, 2});
  Tensors y = custom_function(forward, backward)(Inputs(&x, 1));
  EXPECT_EQ(values(grad(sum(y[69]), x)), (std::vector<double>{69, 138}));
}

TEST(CustomFunction, RefusesWrongNumbers) {
  Tensor x = leaf({1, 2});
  auto same = [](Inputs in) -> Tensors { return {in[0] * 1.0}; };
  auto none = [](Inputs) -> Tensors { return {}; };
  auto empty_one = [](Inputs) -> Tensors { return {Tensor()}; };
  auto nothing = [](const BackwardCall&) -> Tensors { return {}; };
  EXPECT_EQ(code_of([&] { custom_function(none, nothing)(x); }), Code::value);
  EXPECT_EQ(code_of([&] { custom_function(empty_one, nothing)(x); }), Code::value);
  EXPECT_EQ(code_of([&] { custom_function(same, nothing, 2)(x); }), Code::value);
  Tensor y = custom_function(same, nothing)(x);
  EXPECT_EQ(code_of([&] { sum(y).backward(); }), Code::value);
  auto long_one = [](const BackwardCall&) -> Tensors { return {zeros({7})}; };
  Tensor z = custom_function(same, long_one)(x);
  EXPECT_EQ(error_of([&] { sum(z).backward(); }).message(),
            "backward returned shape [7] for input 0 of shape [2]");
}

TEST(CustomFunction, RunsOnABatchWithoutSlices) {
  auto twice = [](Inputs in) -> Tensors { return {in[0] * 2.0}; };
  auto back = [](const BackwardCall& c) -> Tensors { return {c.grad[0] * 2.0}; };
  auto f = custom_function(twice, back);
  auto slope = [&](const Tensor& t) {
    Tensor one = t.detach().set_requires_grad();
    return grad(sum(f(one)), one);
  };
  Tensor x = leaf({}, {0, 2});
  EXPECT_EQ(vmap(slope)(x).shape(), x.shape());
  EXPECT_EQ(grad(sum(vmap(f)(x)), x).shape(), x.shape());
}

}  // namespace
}  // namespace gyre
