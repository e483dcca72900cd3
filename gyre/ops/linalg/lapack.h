#pragma once
#include <cstdint>

// Wrappers of LAPACK and BLAS routines, for T = float and double. Matrices are column-major without
// gaps unless stated otherwise; n >= 1. Return values are LAPACK's `info`, 0 on success. Calls are
// serialized: a serial OpenBLAS hands out its buffers without a lock.

namespace gyre::lapack {

/// Largest workspace size, which LAPACK takes as an int.
inline constexpr int64_t kMostWork = INT32_MAX;

/// Why ops that call it have no kernels for other devices.
inline constexpr const char* kOnTheHost = "LAPACK runs on the CPU";

/// True if this build has LAPACK; otherwise nothing below may be called.
bool present() noexcept;

/// Cholesky a = u^T u of a symmetric a; reads and overwrites the upper triangle. > 0: not positive
/// definite.
template <class T>
int cholesky(int n, T* a) noexcept;

/// LU decomposition a = p l u in place; pivots[n] holds the exchanged rows, counted from 1. > 0: u
/// has a 0 on its diagonal.
template <class T>
int lu(int n, T* a, int* pivots) noexcept;
/// Overwrites b [n, k] by the solution of a^T x = b, for a factored by lu().
template <class T>
int solve_transposed(int n, int k, const T* lu, const int* pivots, T* b) noexcept;

enum Triangle : uint8_t { upper = 1, transposed = 2, unit = 4, from_the_right = 8 };
/// Overwrites row-major b [m, n] by the solution of op(a) x = b or x op(a) = b for a row-major
/// triangular a; `how` combines flags of Triangle.
template <class T>
void solve_triangular(int how, int m, int n, const T* a, T* b) noexcept;

/// QR decomposition a = q r with a [m, n], k = min(m, n): r in the upper triangle of a;
/// orthogonal() then overwrites the first k columns of a by q. tau [k].
template <class T>
int qr(int m, int n, T* a, T* tau, T* work) noexcept;
template <class T>
int orthogonal(int m, int k, T* a, const T* tau, T* work) noexcept;
/// Largest block size of blocked routines, in columns.
inline constexpr int64_t kBlock = 64;
/// Workspace elements for qr and orthogonal.
constexpr int64_t qr_work(int64_t n) { return kBlock * n; }

/// Singular value decomposition a [m, n] = u diag(s) vt; a is overwritten; u [m, k], vt [k, n], s
/// descending.
template <class T>
int svd(int m, int n, T* a, T* s, T* u, T* vt, T* work, int* iwork) noexcept;
/// Elements of work and iwork for svd, per the documentation of dgesdd, with room for blocks:
/// exceeds kMostWork from about 20,700 rows and columns.
constexpr int64_t svd_work(int64_t m, int64_t n) {
  int64_t least = m < n ? m : n;
  return least * (5 * least + 7) + (kBlock + 1) * (m + n);
}
constexpr int64_t svd_iwork(int64_t m, int64_t n) { return 8 * (m < n ? m : n); }

/// Eigenvalues of a symmetric a, ascending; the columns of a are overwritten by the eigenvectors.
template <class T>
int eigh(int n, T* a, T* values, T* work, int* iwork) noexcept;
constexpr int64_t eigh_work(int64_t n) { return 1 + 6 * n + 2 * n * n + kBlock * n; }
constexpr int64_t eigh_iwork(int64_t n) { return 3 + 5 * n; }

}  // namespace gyre::lapack
