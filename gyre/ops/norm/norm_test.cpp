#include "gyre/ops/norm/norm.h"

#include <gtest/gtest.h>

#include "gyre/op/apply.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/shape.h"
#include "tests/elements.h"

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

}  // namespace
}  // namespace gyre
