#include "gyre/train/trace/nan_watch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "gyre/autograd/backward.h"
#include "gyre/base/error.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/in_place.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/order/order.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/train/trace/call_trace.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Tensor numbers(std::vector<float> values, Shape shape) {
  Tensor t = empty(shape, DType::f32);
  std::copy(values.begin(), values.end(), t.data<float>());
  return t;
}

TEST(NanWatch, NamesTheOpOfTheForward) {
  NanWatch watch;
  watch.begin_step(12);
  Tensor x = numbers({1, 2, 3, 4, -5, 6}, {2, 3});
  Tensor y = exp(log(x + x));
  sum(y);
  NanFinding f = watch.finding().value();
  EXPECT_EQ(f.op, "log");
  EXPECT_EQ(f.call, 2);
  EXPECT_FALSE(f.backward);
  EXPECT_EQ(f.operand, -1);
  EXPECT_EQ(f.element, "[1, 1]");
  EXPECT_EQ(f.tensor, f.operands);
  EXPECT_TRUE(std::isnan(f.value));
  std::string message = message_of(Code::numeric, [&] { watch.check(); });
  EXPECT_TRUE(contains(message, "step 12: log(f32[2, 3]) (call 2, forward) produces NaN at [1, 1]"))
      << message;
  watch.begin_step(13);
  exp(x);
  watch.check();
}

TEST(NanWatch, NamesTheOpOfTheBackward) {
  NanWatch watch;
  Tensor x = numbers({4, 0, 1}, {3}).set_requires_grad();
  Tensor y = sum(sqrt(x));
  EXPECT_FALSE(watch.finding());
  y.backward();
  NanFinding f = watch.finding().value();
  EXPECT_TRUE(f.backward);
  EXPECT_EQ(f.value, kInfinity);
  EXPECT_EQ(f.element, "[1]");
  EXPECT_GT(f.call, 2);
  EXPECT_EQ(f.op, "sqrt");
  EXPECT_TRUE(f.reverse);
  EXPECT_TRUE(contains(f.text(), "the gradient of sqrt(")) << f.text();
  EXPECT_TRUE(contains(f.text(), "backward) produces infinity at [1] of f32[3]")) << f.text();
  EXPECT_EQ(code_of([&] { watch.check(); }), Code::numeric);
}

TEST(NanWatch, NamesDataWithNaN) {
  NanWatch watch;
  Tensor w = ones({3, 2}), x = numbers({1, 2, 3, 4, 5, NAN}, {2, 3});
  exp(w);
  sum(matmul(x, w));
  NanFinding f = watch.finding().value();
  EXPECT_EQ(f.op, "matmul");
  EXPECT_EQ(f.operand, 0);
  EXPECT_EQ(f.element, "[1, 2]");
  EXPECT_EQ(f.call, 2);
  EXPECT_TRUE(contains(f.text(),
                       "operand 1 of matmul(f32[2, 3], f32[3, 2]) (call 2, forward) has "
                       "NaN at [1, 2] and was not produced by an op"))
      << f.text();
}

TEST(NanWatch, GivenInfinitiesAreAllowed) {
  NanWatch watch;
  Tensor x = numbers({1, 2}, {2}), mask = numbers({0, -INFINITY}, {2});
  exp(x + mask);
  exp(x * Tensor(kInfinity));
  x* Tensor(std::nan(""));
  Tensor unused = numbers({NAN, 2}, {2});
  where(mask < Tensor(0.5), mask, unused);
  EXPECT_FALSE(watch.finding()) << "that NaN was not used";
  mask - mask;  // but results computed from them are not
  EXPECT_EQ(watch.finding().value().op, "sub");
}

TEST(NanWatch, CoversAllLayoutsAndDTypes) {
  for (DType dtype : {DType::f16, DType::bf16, DType::f32, DType::f64}) {
    NanWatch watch;
    Tensor x = full({70, 3, 1000}, 1.0, {.dtype = dtype});
    exp(transpose(x, 0, 2));
    EXPECT_FALSE(watch.finding()) << name_of(dtype);
    Tensor last = slice(x, {0, 69, 70, 1}),
           corner = slice(slice(last, {1, 2, 3, 1}), {2, 998, 999, 1});
    mul_(corner, Tensor(-1.0));
    EXPECT_FALSE(watch.finding()) << name_of(dtype);
    log(transpose(x, 0, 1));
    ASSERT_TRUE(watch.finding()) << name_of(dtype);
    EXPECT_EQ(watch.finding()->element, "[2, 69, 998]") << name_of(dtype);
  }
  NanWatch watch;
  log(empty({0}, DType::f32));
  argmax(ones({3}), 0);
  EXPECT_FALSE(watch.finding());
}

TEST(NanWatch, CoversInPlaceWrites) {
  NanWatch watch;
  Tensor x = numbers({3e38f, 1}, {2});
  mul_(x, Tensor(10.0));
  NanFinding f = watch.finding().value();
  EXPECT_EQ(f.op, "mul");
  EXPECT_EQ(f.value, kInfinity);
  EXPECT_EQ(f.operand, -1);
}

TEST(NanWatch, WorksWithATrace) {
  std::string path = ::testing::TempDir() + "gyre_nan_trace.json";
  CallTrace trace(path);
  NanWatch watch;
  log(numbers({-1}, {1}));
  EXPECT_EQ(trace.summary().ops.at(0).calls, 1);
  EXPECT_TRUE(watch.finding());
  remove_tree(path);
}

}  // namespace
}  // namespace gyre
