#include "gyre/ops/print.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

// Expected texts are what str() of NumPy 2.2 prints for the same arrays.
TEST(Print, LikeNumPy) {
  EXPECT_EQ(to_string(tensor({{1, 2}, {3, 4}})), "[[1. 2.]\n [3. 4.]]");
  EXPECT_EQ(to_string(tensor({1, 2.5, 3.25})), "[1.   2.5  3.25]");
  EXPECT_EQ(to_string(tensor({1e-5, 1, 1000})), "[1.e-05 1.e+00 1.e+03]");
  EXPECT_EQ(to_string(tensor({0.1, 0.3, NAN, -INFINITY})), "[ 0.1  0.3  nan -inf]");
  EXPECT_EQ(to_string(tensor({{1, -200}, {3, 4}}, {DType::i64})), "[[   1 -200]\n [   3    4]]");
  EXPECT_EQ(to_string(tensor({1, 0, 1}, {DType::boolean})), "[ True False  True]");
  EXPECT_EQ(to_string(tensor({1, 1}, {DType::boolean})), "[ True  True]");
  EXPECT_EQ(to_string(tensor({1. / 3, 123456.789}, {DType::f64})),
            "[3.33333333e-01 1.23456789e+05]");
  EXPECT_EQ(to_string(tensor({-0.0, 1e300}, {DType::f64})), "[-0.e+000  1.e+300]");
  EXPECT_EQ(to_string(tensor({1. / 3, 2}, {DType::f64})), "[0.33333333 2.        ]");
  EXPECT_EQ(to_string(tensor({INFINITY, 1})), "[inf  1.]");
  EXPECT_EQ(to_string(tensor({1, -INFINITY})), "[  1. -inf]");
  EXPECT_EQ(to_string(tensor({NAN, NAN})), "[nan nan]");
  EXPECT_EQ(to_string(tensor(3.5)), "3.5");
  EXPECT_EQ(to_string(zeros({2, 0})), "[]");
  EXPECT_EQ(to_string(reshape(arange(0, 4), {2, 1, 2})), "[[[0. 1.]]\n\n [[2. 3.]]]");
  EXPECT_EQ(to_string(full({2}, 0.1, {DType::bf16})), "[0.1 0.1]");
  EXPECT_EQ(to_string(full({2}, 0.1, {DType::f16})), "[0.1 0.1]");
}

TEST(Print, WrapsAndSummarises) {
  EXPECT_EQ(to_string(arange(0, 24)),
            "[ 0.  1.  2.  3.  4.  5.  6.  7.  8.  9. 10. 11. 12. 13. 14. 15. 16. 17.\n"
            " 18. 19. 20. 21. 22. 23.]");
  EXPECT_EQ(to_string(arange(0, 1001, 1, {DType::i32})), "[   0    1    2 ...  998  999 1000]");
  EXPECT_EQ(to_string(reshape(arange(0, 1200, 1, {DType::i64}), {30, 40})),
            "[[   0    1    2 ...   37   38   39]\n"
            " [  40   41   42 ...   77   78   79]\n"
            " [  80   81   82 ...  117  118  119]\n"
            " ...\n"
            " [1080 1081 1082 ... 1117 1118 1119]\n"
            " [1120 1121 1122 ... 1157 1158 1159]\n"
            " [1160 1161 1162 ... 1197 1198 1199]]");
}

TEST(Print, GoesIntoStreams) {
  std::ostringstream out;
  out << tensor({1, 2}) << " and " << Tensor();
  EXPECT_EQ(out.str(), "[1. 2.] and none");
  out.str("");
  out << Shape{4, 3} << " of " << DType::bf16;
  EXPECT_EQ(out.str(), "[4, 3] of bf16");
}

}  // namespace
}  // namespace gyre
