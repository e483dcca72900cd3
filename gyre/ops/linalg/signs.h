#pragma once
#include <cmath>
#include <cstdint>

namespace gyre {

/// Whether the number of largest magnitude among n, `step` apart, is negative; the first of equals
/// counts. Singular vectors and eigenvectors whose is are turned round.
template <class T>
bool points_down(const T* x, int64_t n, int64_t step) {
  T largest = 0;
  for (int64_t i = 0; i < n; ++i) {
    if (std::fabs(x[i * step]) > std::fabs(largest)) largest = x[i * step];
  }
  return largest < 0;
}

/// Whether none of n numbers is NaN or infinite: LAPACK's iterations may not end on those.
template <class T>
bool all_finite(const T* x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    if (!std::isfinite(x[i])) return false;
  }
  return true;
}

}  // namespace gyre
