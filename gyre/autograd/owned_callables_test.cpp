#include "gyre/autograd/owned_callables.h"

#include <gtest/gtest.h>

#include "gyre/autograd/checkpoint.h"
#include "gyre/autograd/custom_function.h"
#include "gyre/autograd/hooks.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"

namespace gyre {
namespace {

Tensor leaf() {
  Tensor x = ones({3});
  x.set_requires_grad();
  return x;
}
int owned(const Tensor& t) {
  int n = 0;
  for_each_owned_callable(t, [&](const RefCounted&) { ++n; });
  return n;
}
auto nothing() {
  return [](const Tensor&) {};
}
auto doubled() {
  return custom_function([](Inputs in) { return Tensors{in[0] * 2.0}; },
                         [](const BackwardCall& c) { return Tensors{c.grad[0] * 2.0}; });
}

TEST(OwnedCallables, HooksOfATensorItselfWhileNothingElseRefersToIt) {
  Tensor x = leaf();
  EXPECT_EQ(owned(x), 0);
  HookHandle handle = on_gradient(x, nothing());
  on_gradient_ready(x, nothing());
  EXPECT_EQ(owned(x), 2);
  handle.remove();
  EXPECT_EQ(owned(x), 1);
  Tensor other = x;
  EXPECT_EQ(owned(x), 0);
  EXPECT_EQ(owned(Tensor()), 0);
}

TEST(OwnedCallables, TheGraphAsFarAsNothingElseRefersToIt) {
  Tensor x = leaf();
  on_gradient(x, nothing());
  Tensor y = x * 2.0;
  on_gradient(y, nothing());
  Tensor z = sum(y * y);
  EXPECT_EQ(owned(y), 0);
  EXPECT_EQ(owned(z), 0) << "y is referred to";
  y = {};
  EXPECT_EQ(owned(z), 1);
  x = {};
  EXPECT_EQ(owned(z), 2);
}

TEST(OwnedCallables, CustomFunctionsAndCheckpoints) {
  Tensor x = leaf();
  {
    auto f = doubled();
    Tensor y = f(f(x));
    EXPECT_EQ(owned(y), 0) << "f is in use";
  }
  Tensor y = doubled()(doubled()(x));
  EXPECT_EQ(owned(y * y), 0) << "y is referred to";
  EXPECT_EQ(owned(y), 2);

  struct Body final : CheckpointBody {
    Tensors operator()(Inputs in) const override { return {exp(sin(in[0]) * in[0])}; }
  };
  Tensor c = checkpoint(Ref<const CheckpointBody>(new Body), Inputs({x}), {})[0];
  EXPECT_EQ(owned(c), 1);
  EXPECT_EQ(owned(c + y), 0);
}

}  // namespace
}  // namespace gyre
