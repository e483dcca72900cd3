#include "gyre/kernel/overflow.h"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "gyre/autograd/backward.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/in_place.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

Tensor halves(const Nested& values) { return tensor(values, {.dtype = DType::f16}); }

std::string refused(auto run) {
  const OverflowScope scope(OverflowMode::error);
  return message_of(Code::numeric, run);
}

TEST(Overflow, ACastNamesTheNumber) {
  const Tensor x = tensor({1.0, 70000.0, 2.0});
  EXPECT_EQ(refused([&] { to(x, DType::f16); }),
            "to: to(f32[3]) produces infinity at [1] of f16[3] from 70000; the largest f16 number "
            "is 65504");
  const std::string bf16 = refused([&] { to(full({2}, -3.4e38), DType::bf16); });
  EXPECT_TRUE(contains(bf16, "-infinity at [0] of bf16[2] from -3.4e+38; the largest bf16 number"))
      << bf16;
}

TEST(Overflow, NamesTheOpAndTheElementsItWasComputedFrom) {
  const Tensor x = reshape(halves({300, 2, 500, 4}), {2, 2});
  const std::string product = refused([&] { mul(x, halves({400, 1})); });
  EXPECT_TRUE(contains(product,
                       "mul(f16[2, 2], f16[2]) produces infinity at [0, 0] of f16[2, 2] "
                       "from 300, 400"))
      << product;
  const std::string turned = refused([&] { mul(transpose(x, 0, 1), halves({1, 200})); });
  EXPECT_TRUE(contains(turned, "at [0, 1] of f16[2, 2] from 500, 200")) << turned;
}

TEST(Overflow, EveryKindOfCall) {
  const Tensor x = full({4}, 40000, {.dtype = DType::f16});
  EXPECT_TRUE(contains(refused([&] { sum(x); }), "sum(f16[4]) produces infinity at [] of f16[]"));
  EXPECT_TRUE(contains(refused([&] { matmul(x, x); }), "matmul"));
  EXPECT_TRUE(contains(refused([&] { exp(full({1}, 100)); }), "f32[1] from 100"));
  EXPECT_TRUE(contains(refused([&] { log(zeros({1})); }), "-infinity"));
  EXPECT_TRUE(contains(refused([&] { log(full({1}, -1)); }), "NaN at [0] of f32[1] from -1"));
  EXPECT_TRUE(contains(refused([&] { exp(full({1}, 1000, {.dtype = DType::f64})); }), "f64"));
}

TEST(Overflow, InPlace) {
  Tensor x = halves({300, 1});
  const std::string why = refused([&] { mul_(x, Tensor(300.0)); });
  EXPECT_TRUE(contains(why, "infinity at [0] of f16[2]")) << why;
  EXPECT_TRUE(std::isinf(to_vector<float>(x)[0])) << "written";
}

TEST(Overflow, OfGradients) {
  const Tensor x = zeros({1}, {.requires_grad = true});
  const std::string why = refused([&] { sum(sqrt(x)).backward(); });
  EXPECT_TRUE(contains(why, "the gradient of sqrt")) << why;
  const Tensor y = halves({200}).set_requires_grad();
  const Tensor loss = sum(y * y);
  const std::string scaled =
      refused([&] { backward(Inputs(&loss, 1), Tensors{full({}, 300, {.dtype = DType::f16})}); });
  EXPECT_TRUE(contains(scaled, "add(f16[1], f16[1]) produces infinity at [0]")) << scaled;
}

TEST(Overflow, GivenInfinitiesAreAllowed) {
  const OverflowScope scope(OverflowMode::error);
  const Tensor x = tensor({1.0, 2.0}), mask = tensor({0.0, -INFINITY});
  EXPECT_TRUE(std::isinf(to_vector<float>(x + mask)[1]));
  EXPECT_TRUE(std::isinf(to_vector<float>(x * Tensor(INFINITY))[0]));
  EXPECT_TRUE(std::isinf(to_vector<float>(masked_fill(x, mask < Tensor(-1.0), -INFINITY))[1]));
  EXPECT_TRUE(std::isnan(to_vector<float>(mask - mask)[1])) << "from infinite operands";
  EXPECT_TRUE(std::isinf(to_vector<float>(to(mask, DType::f16))[1]));
  const Tensor leaf = tensor({INFINITY}, {.requires_grad = true});
  sum(cosh(leaf)).backward();  // whose gradient is computed from the saved operand
  EXPECT_TRUE(std::isinf(to_vector<float>(leaf.grad())[0]));
}

TEST(Overflow, IsAModeOfTheThread) {
  const Tensor x = full({1}, 100);
  EXPECT_EQ(overflow_mode(), OverflowMode::ieee);
  {
    const OverflowScope outer(OverflowMode::error), again(OverflowMode::error);
    EXPECT_EQ(overflow_mode(), OverflowMode::error);
    std::thread([&] {
      EXPECT_EQ(overflow_mode(), OverflowMode::ieee);
      EXPECT_TRUE(std::isinf(exp(x).item()));
    }).join();
    {
      const OverflowScope inner(OverflowMode::ieee);
      EXPECT_TRUE(std::isinf(exp(x).item()));
    }
    EXPECT_EQ(code_of([&] { exp(x); }), Code::numeric);
  }
  EXPECT_TRUE(std::isinf(exp(x).item()));
}

}  // namespace
}  // namespace gyre
