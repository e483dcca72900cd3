#include "gyre/ops/norm/norm.h"

#include <gtest/gtest.h>

#include "gyre/autograd/backward.h"
#include "gyre/op/apply.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"
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

TEST(BatchNorm, KeepsTheStatisticsOf16BitRowsInF32) {
  Tensor x = to(counting({4, 2, 30}) + 200, DType::f16);
  auto [y, mean, variance] = batch_norm(x, {}, {});
  EXPECT_EQ(y.dtype(), DType::f16);
  EXPECT_EQ(mean.dtype(), DType::f32);
  EXPECT_EQ(elements(mean), (std::vector<double>{304.5, 334.5}));
  EXPECT_EQ(elements(batch_norm(x, {}, {}, mean, variance).out), elements(y));
}

TEST(InstanceNorm, IsAGroupAChannel) {
  Tensor x = counting({2, 3, 4});
  EXPECT_EQ(elements(instance_norm(x, {}, {})), elements(group_norm(x, {}, {}, {.groups = 3})));
}

TEST(Normalize, TakesAnyNorm) {
  Tensor x = tensor({{3, -4}, {0, 0}}, {DType::f64});
  EXPECT_EQ(elements(normalize(x)), (std::vector<double>{0.6, -0.8, 0, 0}));
  EXPECT_EQ(elements(normalize(x, {.p = 1})), (std::vector<double>{3 / 7.0, -4 / 7.0, 0, 0}));
  EXPECT_EQ(elements(normalize(x, {.p = INFINITY})), (std::vector<double>{0.75, -1, 0, 0}));
  EXPECT_NEAR(elements(normalize(x, {.p = 3}))[0], 3 / std::cbrt(91.0), 1e-15);
  EXPECT_EQ(elements(normalize(x, {.axis = 0})), (std::vector<double>{1, -1, 0, 0}));
  EXPECT_EQ(elements(normalize(tensor({300, 400}, {DType::f16}))),
            elements(tensor({0.6, 0.8}, {DType::f16})))
      << "squares of 16-bit numbers do not overflow";
  EXPECT_EQ(code_of([&] { normalize(x, {.p = 0}); }), Code::value);
}

TEST(Normalize, HasASlopeOfZeroPartsAtZero) {
  for (double p : {1.0, 2.0, 3.0, static_cast<double>(INFINITY)}) {
    Tensor x = zeros({1, 2}, {.dtype = DType::f64, .requires_grad = true});
    Tensor g = grad(sum(normalize(x, {.p = p, .eps = 0.5})), x);
    EXPECT_EQ(elements(g), (std::vector<double>{2, 2})) << p;
  }
}

}  // namespace
}  // namespace gyre
