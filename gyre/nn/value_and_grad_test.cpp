#include "gyre/nn/value_and_grad.h"

#include <gtest/gtest.h>

#include "gyre/nn/linear.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/loss/loss.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/optim/rules/adam.h"
#include "gyre/optim/rules/sgd.h"
#include "tests/thrown.h"

namespace gyre::nn {
namespace {

// Two layers, of which one may stay unused.
struct Pair : Module {
  Pair() : Pair(Generator{1, 0}) {}
  explicit Pair(Generator g)
      : a(LinearOptions{.in = 3, .out = 4}, &g), b(LinearOptions{.in = 4, .out = 2}, &g) {}
  void visit(Visitor& v) override {
    v.module("a", a);
    v.module("b", b);
  }
  Linear a, b;
};

Tensor both(Pair& net, const Tensor& x) { return sum(exp(net.b(net.a(x)))); }

TEST(ValueAndGrad, GivesTheGradientsOfBackwardByName) {
  Pair net;
  const Tensor x = gyre::ones({5, 3});
  const auto [loss, gradients] = value_and_grad(
      net, [&](const Tensor& in) { return both(net, in); }, x);
  for (const Tensor& p : net.parameters()) EXPECT_FALSE(p.grad().defined());
  const Tensor again = both(net, x);
  EXPECT_EQ(loss.item(), again.item());
  again.backward();
  const std::vector<NamedTensor> own = net.named_parameters();
  ASSERT_EQ(gradients.size(), own.size());
  for (size_t i = 0; i < own.size(); ++i) {
    EXPECT_EQ(gradients[i].name, own[i].name);
    EXPECT_EQ(to_vector<float>(gradients[i].tensor), to_vector<float>(own[i].tensor.grad()));
  }
}

TEST(ValueAndGrad, LeavesOutFrozenAndUnusedParameters) {
  Pair net;
  net.a.weight.set_requires_grad(false);
  const auto [loss, gradients] = value_and_grad(net, [&] {
    return sum(net.a(gyre::ones({1, 3})));
  });
  ASSERT_EQ(gradients.size(), 1u);
  EXPECT_EQ(gradients[0].name, "a.bias");
}

TEST(ValueAndGrad, RefusesALossWithoutAGradient) {
  Pair net;
  const auto refused = [&](auto loss) { return code_of([&] { value_and_grad(net, loss); }); };
  EXPECT_EQ(refused([&] { return gyre::ones({}); }), Code::value);
  EXPECT_EQ(refused([&] { return net.a(gyre::ones({1, 3})); }), Code::value);
}

// Steps by gradients by name are those by backward().
TEST(ApplyGradients, StepsAsAfterBackward) {
  Pair named, plain;
  AdamW first(named.parameters(), {.lr = 0.1}), second(plain.parameters(), {.lr = 0.1});
  const Tensor x = gyre::ones({2, 3});
  for (int i = 0; i < 3; ++i) {
    const auto [loss, gradients] = value_and_grad(named, [&] { return both(named, x); });
    const StepResult a =
        first.apply_gradients(gradients, named.named_parameters(), {.scale = 0.5, .clip = 1});
    second.zero_grad();
    both(plain, x).backward();
    const StepResult b = second.step({.scale = 0.5, .clip = 1});
    EXPECT_EQ(a.gradient_norm.item(), b.gradient_norm.item());
    EXPECT_FALSE(named.a.weight.grad().defined());
  }
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(to_vector<float>(named.parameters()[i]), to_vector<float>(plain.parameters()[i]));
  }
}

TEST(ApplyGradients, ReadsNoOtherGradients) {
  Pair net;
  Sgd optimizer(net.parameters(), {.lr = 1});
  both(net, gyre::ones({2, 3})).backward();
  const std::vector<float> before = to_vector<float>(net.a.weight);
  const std::vector<NamedTensor> one{{"b.bias", gyre::ones({2})}};
  const Tensor bias = net.b.bias.detach() - Tensor(1.0);
  optimizer.apply_gradients(one, net.named_parameters());
  EXPECT_EQ(to_vector<float>(net.a.weight), before);
  EXPECT_EQ(to_vector<float>(net.b.bias), to_vector<float>(bias));
}

TEST(ApplyGradients, RefusesWhatIsNoGradientOfAParameter) {
  Pair net;
  Sgd optimizer(net.a.parameters());
  const auto refused = [&](Code code, const char* name, const Tensor& gradient) {
    const std::vector<NamedTensor> one{{name, gradient}};
    return message_of(code, [&] { optimizer.apply_gradients(one, net.named_parameters()); });
  };
  EXPECT_EQ(refused(Code::value, "c", gyre::ones({2})),
            "sgd: no parameter has the name of the gradient c");
  EXPECT_EQ(refused(Code::value, "b.bias", gyre::ones({2})),
            "sgd: b.bias is not a parameter of this optimiser");
  EXPECT_EQ(refused(Code::shape, "a.bias", gyre::ones({3})),
            "sgd: expected a gradient of shape [4] for parameter 1, got [3]");
  const std::string dtype = refused(Code::dtype, "a.bias", gyre::ones({4}, {.dtype = DType::f64}));
  EXPECT_TRUE(contains(dtype, "dtype f32, but its gradient has f64")) << dtype;
}

}  // namespace
}  // namespace gyre::nn
