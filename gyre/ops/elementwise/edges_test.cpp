#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gyre/autograd/backward.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"
#include "tests/elements.h"

// Values and gradients at infinity, at zero of either sign and by the divisor, which the
// conformance tests do not sample.

namespace gyre {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

using Binary = Tensor (*)(const Tensor&, const Tensor&);

// The gradients of sum(f(x, y)) by x and y.
std::pair<std::vector<double>, std::vector<double>> gradients(Binary f,
                                                              const std::vector<double>& x,
                                                              const std::vector<double>& y) {
  Tensor a = tensor_of(x), b = tensor_of(y);
  a.set_requires_grad();
  b.set_requires_grad();
  const Tensor total = sum(f(a, b));
  const Tensors g = grad({&total, 1}, Tensors{a, b});
  return {elements(g[0]), elements(g[1])};
}

TEST(Atan2, IsFlatAtInfinity) {
  const auto [by_y, by_x] =
      gradients(atan2, {kInf, -kInf, 2, 2, kInf, -kInf}, {2, 2, kInf, -kInf, kInf, -kInf});
  EXPECT_EQ(by_y, std::vector<double>(6, 0.0));
  EXPECT_EQ(by_x, std::vector<double>(6, 0.0));
}

TEST(Remainder, HasAGradientByTheDivisor) {
  const auto floored = gradients(remainder, {7.5, -7.5, 7.5}, {2, 2, -2});
  EXPECT_EQ(floored.first, std::vector<double>(3, 1.0));
  EXPECT_EQ(floored.second, (std::vector<double>{-3, 4, 4}));
  const auto truncated = gradients(fmod, {7.5, -7.5, 7.5}, {2, 2, -2});
  EXPECT_EQ(truncated.first, std::vector<double>(3, 1.0));
  EXPECT_EQ(truncated.second, (std::vector<double>{-3, 3, 3}));
}

TEST(FloorDivide, KeepsTheSignOfZero) {
  for (const DType dtype : {DType::f32, DType::f64}) {
    const Tensor x = tensor({0, 0, -0.0, -0.0, 1, -1}, {dtype}),
                 y = tensor({1, -1, 1, -1, kInf, -kInf}, {dtype});
    const std::vector<double> seen = elements(floor_divide(x, y));
    EXPECT_EQ(seen, std::vector<double>(6, 0.0));
    const bool negative[] = {false, true, true, false, false, false};
    for (size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(std::signbit(seen[i]), negative[i]) << i;
  }
}

}  // namespace
}  // namespace gyre
