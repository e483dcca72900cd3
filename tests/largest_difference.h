#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "gyre/ops/create/create.h"

namespace gyre {

/// max |a - b|; infinite where a difference is not a number, or the sizes differ.
inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return INFINITY;
  double most = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    double difference = std::abs(a[i] - b[i]);
    most = std::max(most, std::isnan(difference) ? INFINITY : difference);
  }
  return most;
}
/// The same of two tensors of one shape.
inline double largest_difference(const Tensor& a, const Tensor& b) {
  EXPECT_EQ(a.shape(), b.shape());
  return largest_difference(to_vector<double>(a), to_vector<double>(b));
}

}  // namespace gyre
