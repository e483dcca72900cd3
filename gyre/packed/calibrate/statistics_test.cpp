#include "gyre/packed/calibrate/statistics.h"

#include <gtest/gtest.h>

#include "gyre/autograd/backward.h"
#include "gyre/base/error.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/linalg/linear_act.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/packed/test_packed.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

// Stores the calls that it is notified of.
struct Notes final : WeightWitness {
  void inputs(const Tensor& x) override { seen.push_back(x); }
  void gradient(const FactoredTerm& term) override { terms.push_back(term); }
  std::vector<Tensor> seen;
  std::vector<FactoredTerm> terms;
};

TEST(Watched, TellsOfProductsAndTheirGradients) {
  const Tensor w = normal({5, 4}, 1), bias = normal({5}, 2), x = normal({2, 3, 4}, 3);
  for (const bool fused : {false, true}) {
    Notes notes;
    const Tensor stand_in = watched(w, notes);
    const auto layer = [&](const Tensor& weight) {
      return fused ? linear_act(x, weight, bias, LinearActivation::gelu) : linear(x, weight, bias);
    };
    const Tensor y = layer(stand_in), g = normal(y.shape(), 4);
    EXPECT_LT(distance(y.detach(), layer(w)), 1e-6);
    ASSERT_EQ(notes.seen.size(), 1u);
    EXPECT_EQ(to_vector<float>(notes.seen[0]), to_vector<float>(x));
    backward({&y, 1}, {&g, 1});
    ASSERT_EQ(notes.terms.size(), 1u);
    Tensor leaf = w.detach();
    leaf.set_requires_grad(true);
    const Tensor plain = layer(leaf);
    backward({&plain, 1}, {&g, 1});
    EXPECT_LT(distance(dense_gradient(factored({5, 4}, notes.terms)), leaf.grad()), 1e-6);
  }
}

TEST(Watched, TellsOfLookups) {
  const Tensor w = normal({5, 4}, 1), indices = tensor<int64_t>({3, 0, 3}, {3});
  Notes notes;
  const Tensor stand_in = watched(w, notes), y = embedding(stand_in, indices),
               g = normal({3, 4}, 4);
  EXPECT_EQ(to_vector<float>(y.detach()), to_vector<float>(embedding(w, indices)));
  backward({&y, 1}, {&g, 1});
  ASSERT_EQ(notes.terms.size(), 1u);
  EXPECT_EQ(notes.terms[0].sort, FactoredTerm::rows);
  EXPECT_EQ(to_vector<int64_t>(notes.terms[0].left), to_vector<int64_t>(indices));
  EXPECT_EQ(to_vector<float>(notes.terms[0].right), to_vector<float>(g));
}

TEST(Watched, OtherOpsComputeWithTheWeight) {
  const Tensor w = normal({5, 4}, 1);
  Notes notes;
  const Tensor stand_in = watched(w, notes);
  EXPECT_EQ(to_vector<float>(stand_in + w), to_vector<float>(w + w));
  EXPECT_EQ(to_vector<float>(slice(stand_in, {0, 1, 3, 1})),
            to_vector<float>(slice(w, {0, 1, 3, 1})));
  EXPECT_EQ(to_vector<float>(linear(stand_in, w)), to_vector<float>(linear(w, w)));
  EXPECT_TRUE(notes.seen.empty());
  NoGrad off;
  linear(normal({2, 4}, 1), stand_in);
  EXPECT_EQ(notes.seen.size(), 1u);
  EXPECT_EQ(code_of([&] { watched(stand_in, notes); }), Code::unsupported);
}

TEST(Statistics, InputsAreMeansOfProducts) {
  InputStatistics statistics;
  EXPECT_FALSE(statistics.mean().defined());
  const Tensor a = normal({7, 4}, 1), b = normal({3, 4}, 2);
  statistics.inputs(a);
  statistics.inputs(b);
  const Tensor sum = matmul(transpose(a, 0, 1), a) + matmul(transpose(b, 0, 1), b);
  EXPECT_LT(distance(statistics.mean(), sum / Tensor(10.0)), 1e-6);
}

// x and g independent of one another: the sum over places is a Kronecker product.
TEST(Statistics, FindsAKroneckerProduct) {
  const int64_t rows = 6, cols = 4, count = 20000;
  const Tensor x = normal({count, cols}, 1) * tensor<float>({1, 2, 3, 4}, {1, 4}),
               g = normal({count, rows}, 2) * tensor<float>({1, 1, 1, 2, 2, 3}, {1, 6});
  for (const bool whole : {true, false}) {
    KroneckerStatistics statistics(rows, whole ? rows : rows - 1);
    EXPECT_TRUE(statistics.row_squares().empty());
    statistics.gradient({.sort = FactoredTerm::product, .left = g, .right = x});
    const CalibrationSides sides = statistics.sides();
    const auto in = to_vector<double>(sides.inputs);
    for (size_t i = 0; i < 4; ++i) {
      const double size = static_cast<double>(i) + 1;
      EXPECT_NEAR(in[5 * i] / (size * size / 7.5), 1, 0.05);
    }
    EXPECT_LT(std::abs(in[1]), 0.05);
    EXPECT_EQ(sides.outputs.defined(), whole);
    if (whole) {
      const auto out = to_vector<double>(sides.outputs);
      EXPECT_NEAR(out[35] / (9 / (20.0 / 6)), 1, 0.05);
      EXPECT_LT(std::abs(out[1]), 0.05);
    }
    const std::vector<double> squares = statistics.row_squares();
    ASSERT_EQ(squares.size(), 6u);
    EXPECT_NEAR(squares[5] / (9 * 30.0 * count), 1, 0.05);
  }
}

TEST(Statistics, LookupsCountByRow) {
  for (const int64_t most : {8, 2}) {
    KroneckerStatistics statistics(3, most);
    const Tensor x = normal({4, 2}, 1);
    statistics.gradient(
        {.sort = FactoredTerm::rows, .left = tensor<int64_t>({2, 0, 2, 2}, {4}), .right = x});
    const CalibrationSides sides = statistics.sides();
    const Tensor wanted = matmul(transpose(x, 0, 1), x);
    const double total = sum(x * x).item();
    EXPECT_LT(distance(sides.inputs, wanted * Tensor(2 / total)), 1e-6);
    const std::vector<double> squares = statistics.row_squares();
    EXPECT_EQ(squares[1], 0);
    EXPECT_NEAR(squares[0] + squares[2], total, 1e-5);
    EXPECT_EQ(sides.outputs.defined(), most > 2);
  }
}

}  // namespace
}  // namespace gyre
