#pragma once
#include "gyre/ops/linalg/lapack.h"
#include "gyre/ops/linalg/small_matrices.h"

// Factors or solves one matrix: small ones with our own loops (small_matrices.h), larger ones with
// LAPACK. Arguments and results as in lapack.h.

namespace gyre::factor {

/// Sizes above which LAPACK is faster, for direct and for iterative routines.
inline constexpr int64_t kSmall = 32, kSmallIterative = 16;
constexpr bool is_small(int64_t m, int64_t n) { return m <= kSmall && n <= kSmall; }
constexpr bool is_small_iterative(int64_t m, int64_t n) {
  return is_small(m, n) && (m < n ? m : n) <= kSmallIterative;
}

template <class T>
int cholesky(int n, T* a) noexcept {
  return is_small(n, n) ? small::cholesky(n, a) : lapack::cholesky(n, a);
}
template <class T>
int lu(int n, T* a, int* pivots) noexcept {
  return is_small(n, n) ? small::lu(n, a, pivots) : lapack::lu(n, a, pivots);
}
template <class T>
void solve_transposed(int n, int k, const T* lu, const int* pivots, T* b) noexcept {
  if (is_small(n, n)) return small::solve_transposed(n, k, lu, pivots, b);
  lapack::solve_transposed(n, k, lu, pivots, b);
}
template <class T>
void solve_triangular(int how, int m, int n, const T* a, T* b) noexcept {
  bool right = how & lapack::from_the_right, turned = how & lapack::transposed;
  int size = right ? n : m;
  if (!is_small(size, size)) return lapack::solve_triangular(how, m, n, a, b);
  bool upper = static_cast<bool>(how & lapack::upper) != turned;
  (right ? small::solve_from_right<T> : small::solve_from_left<T>)(upper, how & lapack::unit, m, n,
                                                                   a, turned ? 1 : size,
                                                                   turned ? size : 1, b);
}
template <class T>
void qr(int m, int n, T* a, T* tau, T* work) noexcept {
  if (is_small(m, n)) return small::qr(m, n, a, tau);
  lapack::qr(m, n, a, tau, work);
}
/// n: number of columns of the matrix given to qr().
template <class T>
void orthogonal(int m, int n, T* a, const T* tau, T* work) noexcept {
  int k = m < n ? m : n;
  if (is_small(m, n)) return small::orthogonal(m, k, a, tau);
  lapack::orthogonal(m, k, a, tau, work);
}
template <class T>
int svd(int m, int n, T* a, T* s, T* u, T* vt, T* work, int* iwork) noexcept {
  if (!is_small_iterative(m, n)) return lapack::svd(m, n, a, s, u, vt, work, iwork);
  small::svd(m, n, a, s, u, vt, work);
  return 0;
}
template <class T>
int eigh(int n, T* a, T* values, T* work, int* iwork) noexcept {
  if (!is_small_iterative(n, n)) return lapack::eigh(n, a, values, work, iwork);
  small::eigh(n, a, values, work);
  return 0;
}

}  // namespace gyre::factor
