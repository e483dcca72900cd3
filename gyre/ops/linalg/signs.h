#pragma once
#include <cmath>
#include <cstdint>

namespace gyre {

/// True if the entry of largest magnitude among n numbers, `step` apart, is negative (the first of
/// equals). Fixes the sign of singular vectors and eigenvectors.
template <class T>
bool points_down(const T* x, int64_t n, int64_t step) {
  T largest = 0;
  for (int64_t i = 0; i < n; ++i) {
    if (std::fabs(x[i * step]) > std::fabs(largest)) largest = x[i * step];
  }
  return largest < 0;
}

/// True if all n numbers are finite: LAPACK's iterations may not terminate otherwise.
bool all_finite(const auto* x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    if (!std::isfinite(x[i])) return false;
  }
  return true;
}

}  // namespace gyre
