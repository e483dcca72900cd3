#include "gyre/packed/ops/word_ops.h"

#include <gtest/gtest.h>

#include "gyre/op/apply.h"
#include "gyre/op/node.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/packed/gradient/factored.h"
#include "gyre/packed/ops/riemannian_op.h"
#include "gyre/packed/test_packed.h"
#include "gyre/packed/training/riemannian_step.h"
#include "tests/sample_calls.h"

namespace gyre {
namespace {

TEST(WordOps, SamplesRunAndInvalidCallsAreRefused) {
  for (const OpDef* op : {&packed_decode_def, &packed_matmul_def, &packed_rows_def,
                          &packed_encode_def, &packed_transition_def, &packed_riemannian_step_def})
    EXPECT_EQ(sample_problems(*op), "");
}

// The gradient of what was encoded is that of the weights that words stand for.
TEST(WordOps, EncodingPassesGradientsStraightThrough) {
  const Tensor x = normal({6, 70}, 2), ids = tensor<int64_t>({3, 39}, {2});
  for (DType dtype : {DType::f32, DType::f64}) {
    const Tensor w = to(normal({40, 70}, 1), dtype).set_requires_grad();
    const Tensor packed = packed_encode(w, ring_format("T4"));
    Tensor dense = packed_decode(packed.detach());
    dense.set_requires_grad();
    EXPECT_TRUE(packed.tracked());
    const auto loss = [&](const Tensor& v) {
      return sum(tanh(linear(x, v))) + sum(tanh(embedding(v, ids)));
    };
    loss(packed).backward();
    loss(dense).backward();
    EXPECT_EQ(w.grad().dtype(), dtype);
    EXPECT_LT(distance(w.grad(), dense.grad()), 1e-5);
  }
  NoGrad off;
  const Tensor w = normal({40, 70}, 1).set_requires_grad();
  EXPECT_FALSE(packed_encode(w, ring_format("T4")).tracked());
}

TEST(WordOps, TransitionsTwiceAreTheIdentity) {
  for (const RingFormat& format : ring_formats()) {
    const Tensor w = packed_encode(normal({20, 50}, 1), format);
    const Tensor words = tensor<int64_t>({0, 5, 5}, {3}), bits = tensor<int64_t>({0, 77, 125}, {3});
    const Tensor once = packed_transition(w, words, bits);
    EXPECT_NE(bytes_of(once), bytes_of(w)) << format.name;
    EXPECT_GT(distance(packed_decode(once), packed_decode(w)), 1e-3) << format.name;
    EXPECT_EQ(bytes_of(packed_transition(once, words, bits)), bytes_of(w)) << format.name;
  }
}

// Formats are named where a kernel plans; the results are the same.
TEST(WordOps, TheFormatOfTheOperandIsFoundInItsHeaders) {
  for (size_t i = 0; i < ring_formats().size(); ++i) {
    const RingFormat& format = ring_formats()[i];
    const Tensor w = packed_encode(normal({40, 70}, 1), format), x = normal({3, 70}, 2);
    const auto decode = [&](OperandFormat f) {
      return to_vector<float>(apply_one(packed_decode_def, {w}, box(PackedAttrs{f})));
    };
    EXPECT_EQ(decode(OperandFormat::own), decode(static_cast<OperandFormat>(i + 1)));
    EXPECT_EQ(code_of([&] { decode(static_cast<OperandFormat>(i == 0 ? 2 : 1)); }), Code::value);
    EXPECT_EQ(to_vector<float>(apply_one(packed_matmul_def, {x, w}, box(PackedMatmulAttrs{}))),
              to_vector<float>(packed_matmul(x, w)));
  }
}

TEST(WordOps, ProductsInF64AreThoseOfDecodedWeights) {
  for (const Shape& shape : {Shape{300, 40}, Shape{5, 620}}) {
    const Tensor w = packed_encode(normal(shape, 1), ring_format("D3"));
    const Tensor dense = to(packed_decode(w), DType::f64);
    const Tensor x = to(normal({4, shape[1]}, 2), DType::f64),
                 g = to(normal({4, shape[0]}, 3), DType::f64);
    EXPECT_EQ(packed_matmul(x, w).dtype(), DType::f64);
    EXPECT_LT(distance(packed_matmul(x, w), linear(x, dense)), 1e-14);
    EXPECT_LT(distance(packed_matmul(g, w, false), matmul(g, dense)), 1e-14);
  }
}

TEST(WordOps, TheRiemannianStepIsThatOfTheOptimiser) {
  const Shape shape{6, 2};
  const Tensor points = abs(normal(shape, 1)), gradient = normal(shape, 2),
               m = normal(shape, 3) * Tensor(0.1), v = abs(normal(shape, 4));
  const RiemannianStepAttrs attrs{.lr = 0.01, .beta1 = 0.8, .beta2 = 0.9, .step = 3};
  const Tensors after = packed_riemannian_step(points, gradient, m, v, attrs);
  auto p = to_vector<float>(points), n = to_vector<float>(m), w = to_vector<float>(v);
  const auto g = to_vector<float>(gradient);
  riemannian_step({.lr = 0.01, .beta1 = 0.8, .beta2 = 0.9, .step = 3}, g, true, p, n, w);
  EXPECT_EQ(to_vector<float>(after[0]), p);
  EXPECT_EQ(to_vector<float>(after[1]), n);
  EXPECT_EQ(to_vector<float>(after[2]), w);
  EXPECT_EQ(packed_riemannian_step(points, to(gradient, DType::f64), m, v)[0].dtype(), DType::f64);
}

}  // namespace
}  // namespace gyre
