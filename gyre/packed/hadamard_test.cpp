#include "gyre/packed/hadamard.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

namespace gyre {
namespace {

TEST(Hadamard, IsOrthogonal) {
  for (int64_t n : {1, 2, 7, 64, 160}) {
    std::vector<std::vector<float>> rows;
    for (int64_t i = 0; i < n; ++i) {
      std::vector<float> row(static_cast<size_t>(n));
      row[static_cast<size_t>(i)] = 1;
      Hadamard(5, n).apply(row.data());
      rows.push_back(row);
    }
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        double product = 0;
        for (size_t k = 0; k < static_cast<size_t>(n); ++k) {
          product += static_cast<double>(rows[static_cast<size_t>(i)][k]) *
                     rows[static_cast<size_t>(j)][k];
        }
        EXPECT_NEAR(product, i == j, 1e-6);
      }
    }
  }
}

TEST(Hadamard, IsUndone) {
  for (int64_t n : {1, 3, 256, 1000}) {
    std::vector<float> x(static_cast<size_t>(n)), y;
    for (size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<float>(i) + 1);
    y = x;
    Hadamard(1, n).apply(y.data());
    EXPECT_NE(x, y);
    Hadamard(1, n).undo(y.data());
    for (size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], 1e-6);
    Hadamard(0, n).apply(y.data());
    for (size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], 1e-6) << "identity";
  }
}

// One entry is spread over its block; signs repeat after 2,047 only.
TEST(Hadamard, SpreadsOneEntryAndDrawsSigns) {
  std::vector<float> x(64);
  x[17] = 8;
  Hadamard(1, 64).apply(x.data());
  for (float v : x) EXPECT_FLOAT_EQ(std::abs(v), 1);
  std::set<std::vector<float>> seen;
  for (int seed = 1; seed <= Hadamard::kLargestSeed; ++seed) {
    std::vector<float> y(64, 1.0F);
    Hadamard(seed, 64).apply(y.data());
    seen.insert(y);
  }
  EXPECT_EQ(seen.size(), 2047u);
}

}  // namespace
}  // namespace gyre
