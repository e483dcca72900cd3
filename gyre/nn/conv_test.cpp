#include "gyre/nn/conv.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/shape.h"
#include "tests/largest_difference.h"
#include "tests/thrown.h"

namespace gyre::nn {
namespace {

TEST(Conv2d, ConvolvesAndAddsItsBias) {
  Conv2d layer({.in = 1, .out = 2, .kernel = {1, 2}, .stride = {1, 2}, .padding = {0, 1}});
  assign(layer.weight, reshape(tensor({1, 2, 10, 20}), {2, 1, 1, 2}), "weight");
  assign(layer.bias, tensor({0.5, -1}), "bias");
  Tensor y = layer(reshape(tensor({1, 2, 3}), {1, 1, 1, 3}));
  ASSERT_EQ(y.shape(), (Shape{1, 2, 1, 2}));
  EXPECT_EQ(to_vector<float>(y), (std::vector<float>{2.5, 8.5, 19, 79}));
}

TEST(Conv2d, DrawsWithinTheBoundOfItsWindow) {
  Generator g{1, 0};
  Conv2d layer({.in = 8, .out = 64, .kernel = {3}, .groups = 2}, &g);
  ASSERT_EQ(layer.weight.shape(), (Shape{64, 4, 3, 3}));
  double largest = 0;
  for (float x : to_vector<float>(layer.weight)) largest = std::max(largest, std::fabs(double{x}));
  EXPECT_LE(largest, 1 / 6.0);
  EXPECT_GT(largest, 0.99 / 6.0);
  for (float x : to_vector<float>(layer.bias)) EXPECT_LE(std::fabs(x), 1 / 6.0f);
  EXPECT_EQ(layer.named_parameters().size(), 2u);
}

TEST(Conv1d, ConvolvesSignals) {
  Conv1d layer({.in = 1, .out = 1, .kernel = {2}, .dilation = {2}, .bias = false});
  assign(layer.weight, reshape(tensor({1, 10}), {1, 1, 2}), "weight");
  EXPECT_EQ(to_vector<float>(layer(reshape(tensor({1, 2, 3, 4}), {1, 1, 4}))),
            (std::vector<float>{31, 42}));
  EXPECT_EQ(Conv1d(3, 5, 4).weight.shape(), (Shape{5, 3, 4}));
  EXPECT_EQ(Conv1d(3, 5, 4).bias.shape(), Shape{5});
}

TEST(Conv, RejectsInvalidSizes) {
  EXPECT_EQ(code_of([] { Conv2d(0, 3, 3); }), Code::value);
  EXPECT_EQ(code_of([] { Conv2d(3, -1, 3); }), Code::value);
  EXPECT_EQ(code_of([] { Conv2d(3, 3, 0); }), Code::value);
  EXPECT_EQ(code_of([] { Conv2d({.in = 4, .out = 6, .kernel = {3}, .groups = 4}); }), Code::value);
  EXPECT_EQ(code_of([] { Conv2d({.in = 4, .out = 6, .kernel = {3, 3, 3}}); }), Code::value);
  EXPECT_EQ(code_of([] { Conv1d({.in = 4, .out = 6, .kernel = {3, 3}}); }), Code::value);
  EXPECT_EQ(code_of([] { Conv1d({.in = 4, .out = 6, .kernel = {}}); }), Code::value);
}

}  // namespace
}  // namespace gyre::nn
