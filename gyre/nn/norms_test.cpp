#include <gtest/gtest.h>

#include "gyre/nn/norms.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/norm/norm.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/reduce/reduce.h"
#include "tests/largest_difference.h"
#include "tests/thrown.h"

namespace gyre::nn {
namespace {

TEST(BatchNorm, UsesBatchThenRunningStatistics) {
  BatchNorm norm(2);
  Generator generator{1, 0};
  Tensor x = randn({50, 2, 3}, {.generator = &generator}) * 3.0 + 1.0;
  ReduceAttrs others{{0, 2}};
  Tensor y = norm(x);
  EXPECT_LE(largest_difference(mean(y, others), zeros({2})), 1e-6);
  EXPECT_LE(largest_difference(var(y, {.axes = {0, 2}, .correction = 0}), ones({2})), 1e-4);
  EXPECT_LE(largest_difference(norm.running_mean, 0.1 * mean(x, others)), 1e-6);
  EXPECT_LE(largest_difference(norm.running_var, 0.9 + 0.1 * var(x, {.axes = {0, 2}})), 1e-5);
  EXPECT_EQ(norm.num_batches_tracked.item(), 1);
  EXPECT_FALSE(norm.running_mean.tracked());
  for (int i = 0; i < 200; ++i) (void)norm(x);
  norm.eval();
  EXPECT_LE(largest_difference(norm(x), y), 0.05);
  EXPECT_EQ(norm.num_batches_tracked.item(), 201);
}

TEST(BatchNorm, KeepsItsStatisticsInF32) {
  BatchNorm norm(2);
  norm.to(DType::bf16);
  EXPECT_EQ(norm.weight.dtype(), DType::bf16);
  EXPECT_EQ(norm.running_var.dtype(), DType::f32);
  (void)norm(gyre::ones({4, 2}, {.dtype = DType::bf16}));
  EXPECT_LE(largest_difference(norm.running_var, 0.9 * ones({2})), 1e-6);
  norm.to(DType::f64);
  EXPECT_EQ(norm.running_var.dtype(), DType::f64);
}

TEST(BatchNorm, NeedsMoreThanOneValuePerChannelInTraining) {
  BatchNorm norm(2);
  EXPECT_EQ(code_of([&] { norm(ones({1, 2})); }), Code::value);
  norm.eval();
  EXPECT_EQ(norm(ones({1, 2})).shape(), (Shape{1, 2}));
}

TEST(Norms, EqualTheirOps) {
  Tensor x = tensor({{1, 2, 3, 4}, {-8, 0, 0, 8}});
  RmsNorm rms({.width = 4, .eps = 0.5});
  assign(rms.weight, tensor({1, 2, 3, 4}), "weight");
  EXPECT_EQ(largest_difference(rms(x), rms_norm(x, rms.weight, {.eps = 0.5})), 0);
  GroupNorm group({.groups = 2, .channels = 4});
  EXPECT_EQ(largest_difference(group(x), group_norm(x, group.weight, group.bias, {.groups = 2})),
            0);
}

}  // namespace
}  // namespace gyre::nn
