#pragma once
#include <cstdint>

// What gyre asks of LAPACK and BLAS, for T = float and double. Matrices are column-major without
// gaps unless said otherwise; n >= 1. Results other than 0 are LAPACK's `info`. Calls wait for each
// other: a serial OpenBLAS hands out its buffers without a lock.

namespace gyre::lapack {

/// LAPACK is told in int how many elements of work it gets.
inline constexpr int64_t kMostWork = INT32_MAX;

/// Whether this build has a LAPACK; without one nothing below may be called.
bool present() noexcept;

/// a = u^T u of a symmetric a, of which the upper triangle is read and replaced. > 0: not positive
/// definite.
template <class T>
int cholesky(int n, T* a) noexcept;

/// a = p l u in place; rows that were exchanged, from 1, in pivots[n]. > 0: u has a 0 on its
/// diagonal.
template <class T>
int lu(int n, T* a, int* pivots) noexcept;
/// b [n, k] replaced by x with a^T x = b, for what lu() left of a.
template <class T>
int solve_transposed(int n, int k, const T* lu, const int* pivots, T* b) noexcept;

enum Triangle : uint8_t { upper = 1, transposed = 2, unit = 4, from_the_right = 8 };
/// b [m, n], row-major, replaced by x with op(a) x = b, or x op(a) = b, for a row-major triangular
/// a; `how` is made of Triangle.
template <class T>
void solve_triangular(int how, int m, int n, const T* a, T* b) noexcept;

/// a = q r, a is [m, n] and k the smaller of both: r in the upper triangle of a, then
/// orthogonal() replaces the first k columns of a by q. tau [k].
template <class T>
int qr(int m, int n, T* a, T* tau, T* work) noexcept;
template <class T>
int orthogonal(int m, int k, T* a, const T* tau, T* work) noexcept;
/// Columns that blocked routines take at once at most.
inline constexpr int64_t kBlock = 64;
/// Elements of work for qr and orthogonal.
constexpr int64_t qr_work(int64_t n) { return kBlock * n; }

/// a [m, n] = u diag(s) vt, a is destroyed; u [m, k], vt [k, n], s descending.
template <class T>
int svd(int m, int n, T* a, T* s, T* u, T* vt, T* work, int* iwork) noexcept;
/// Elements of work and of iwork for svd, as the page of dgesdd says, with room for blocks: beyond
/// kMostWork from about 20,700 rows and columns on.
constexpr int64_t svd_work(int64_t m, int64_t n) {
  int64_t least = m < n ? m : n;
  return least * (5 * least + 7) + (kBlock + 1) * (m + n);
}
constexpr int64_t svd_iwork(int64_t m, int64_t n) { return 8 * (m < n ? m : n); }

/// Eigenvalues, ascending, and in the columns of a the eigenvectors, of a symmetric a.
template <class T>
int eigh(int n, T* a, T* values, T* work, int* iwork) noexcept;
constexpr int64_t eigh_work(int64_t n) { return 1 + 6 * n + 2 * n * n + kBlock * n; }
constexpr int64_t eigh_iwork(int64_t n) { return 3 + 5 * n; }

}  // namespace gyre::lapack
