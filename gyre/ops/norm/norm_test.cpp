#include "gyre/ops/norm/norm.h"

#include <gtest/gtest.h>

#include "gyre/op/apply.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/shape.h"
#include "tests/elements.h"
#include "tests/thrown.h"

namespace gyre {

extern const OpDef layer_norm_def;

namespace {

TEST(LayerNorm, WhatIsNotGivenChangesNothing) {
  for (DType dtype : {DType::f16, DType::f32, DType::f64}) {
    Tensor x = to(counting({3, 7}), dtype), one = ones({7}, {dtype}), zero = zeros({7}, {dtype});
    Tensor y = layer_norm(x, {}, {});
    EXPECT_EQ(y.dtype(), dtype);
    EXPECT_EQ(elements(y), elements(layer_norm(x, one, zero)));
    EXPECT_EQ(elements(y), elements(apply_one(layer_norm_def, {x}, box(NormAttrs{}))))
        << "left out at the end";
    EXPECT_EQ(elements(rms_norm(x, {})), elements(rms_norm(x, one)));
  }
}

TEST(Softmax, TakesAnAxisByItsNumber) {
  Tensor x = counting({2, 3});
  EXPECT_EQ(elements(softmax(x, 0)), elements(softmax(x, AxisAttrs{0})));
  EXPECT_EQ(elements(softmax(x, {})), elements(softmax(x, -1)));
  EXPECT_EQ(elements(log_softmax(x, int64_t{0})), elements(log_softmax(x, AxisAttrs{0})));
}

TEST(Mse, WantsEqualShapes) {
  Error e = error_of([] { mse(ones({8, 1}), ones({8})); });
  EXPECT_EQ(e.code, Code::shape);
  EXPECT_EQ(e.expected, "[8, 1]");
  EXPECT_EQ(e.actual, "[8]");
}

TEST(CrossEntropy, NamesLogitsAndTarget) {
  Error e = error_of([] { cross_entropy(ones({2, 3}), zeros({2, 3}, {DType::i64})); });
  EXPECT_EQ(e.code, Code::shape);
  EXPECT_STREQ(e.what(), "cross_entropy: logits [2, 3] need target [2], got [2, 3]");
  EXPECT_EQ(e.expected, "[2]");
  EXPECT_EQ(e.actual, "[2, 3]");
  EXPECT_EQ(code_of([] {
              cross_entropy(ones({2, 3}), zeros({1}, {DType::i64}));
            }),
            Code::shape)
      << "nothing is broadcast";
}

TEST(CrossEntropy, SaysWhatTargetsThereAre) {
  Error e = error_of([] { cross_entropy(ones({2, 3}), full({2}, 9, {DType::i64})); });
  EXPECT_EQ(e.code, Code::index);
  EXPECT_TRUE(contains(e.what(), "target 9 at position 0 is out of range [0, 3)")) << e.what();
  EXPECT_EQ(e.expected, "[0, 3)");
  EXPECT_EQ(e.actual, "9");
}

}  // namespace
}  // namespace gyre
