#include "gyre/models/supervised/array_examples.h"

#include <gtest/gtest.h>

#include <limits>

#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/shape/shape.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

using Labels = std::vector<int64_t>;

Tensor labels(const Labels& values) {
  return tensor(values, {static_cast<int64_t>(values.size())});
}

TEST(ArrayExamples, InputsAreFloatingPoint) {
  const Tensor pixels = to(tensor({{0.0, 255.0}, {51.0, 102.0}}), DType::u8);
  EXPECT_EQ(to_vector<float>(array_inputs(pixels, "x")), (std::vector<float>{0, 1, 0.2F, 0.4F}));
  EXPECT_EQ(to_vector<float>(array_inputs(labels({3, 300}), "x")), (std::vector<float>{3, 300}));
  EXPECT_EQ(array_inputs(zeros({5}), "x").shape(), Shape({5, 1}));
  EXPECT_EQ(array_inputs(zeros({0, 2}), "x").shape(), Shape({0, 2}));
  EXPECT_EQ(code_of([] { array_inputs(Tensor(1.0), "x"); }), Code::shape);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(contains(message_of(Code::value,
                                  [&] {
                                    array_inputs(tensor({{1.0, 2.0}, {3.0, nan}}), "x_test");
                                  }),
                       "x_test has NaN or an infinity in example 1"));
}

TEST(ArrayExamples, TargetsAreLabelsOrValues) {
  EXPECT_EQ(array_targets(to(zeros({4, 1}), DType::i32), "y").shape(), Shape({4}));
  EXPECT_EQ(array_targets(to(zeros({4}), DType::boolean), "y").dtype(), DType::i64);
  EXPECT_EQ(array_targets(zeros({4, 3}), "y").shape(), Shape({4, 3}));
  EXPECT_TRUE(contains(message_of(Code::shape,
                                  [] {
                                    array_targets(to(zeros({4, 2}), DType::i64), "y_test");
                                  }),
                       "y_test has shape [4, 2]"));
  EXPECT_EQ(code_of([] { array_targets(zeros({4, 2, 2}), "y"); }), Code::shape);
  EXPECT_EQ(code_of([] { array_targets(tensor({std::numeric_limits<double>::infinity()}), "y"); }),
            Code::value);
}

TEST(ArrayExamples, ClassIndicesFollowLabels) {
  EXPECT_EQ(array_target(labels({2, 0})).classes, (std::vector<std::string>{"0", "1", "2"}));
  EXPECT_EQ(array_target(zeros({4, 3})).outputs, 3);
  EXPECT_TRUE(array_target(zeros({4})).classes.empty());
  const Target signs = array_target(labels({1, -1, 1'000'000'000'000}));
  EXPECT_EQ(signs.classes, (std::vector<std::string>{"-1", "1", "1000000000000"}));
  EXPECT_EQ(to_vector<int64_t>(class_numbers(signs, labels({-1, 1'000'000'000'000, 1}))),
            (Labels{0, 2, 1}));
  EXPECT_TRUE(contains(message_of(Code::value,
                                  [&] {
                                    class_numbers(signs, labels({1, 5}));
                                  }),
                       "y is 5 in example 1, which is not one of the 3 classes"));
  EXPECT_EQ(code_of([&] { class_numbers(signs, labels({1'000'000'000'001})); }), Code::value);
  Target texts;
  texts.classes = {"rose", "1"};
  EXPECT_TRUE(
      contains(message_of(Code::value, [&] { class_numbers(texts, labels({1})); }), "rose"));
  EXPECT_TRUE(contains(message_of(Code::value, [&] { class_numbers(signs, zeros({2})); }), "f32"));
  EXPECT_EQ(class_numbers(signs, labels({})).numel(), 0);
  Labels many(200'000);
  for (size_t i = 0; i < many.size(); ++i) many[i] = static_cast<int64_t>(i) - 1;
  EXPECT_TRUE(contains(message_of(Code::value, [&] { array_target(labels(many)); }), "200000"));
}

}  // namespace
}  // namespace gyre
