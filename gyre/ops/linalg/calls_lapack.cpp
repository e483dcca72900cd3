#include "gyre/ops/linalg/lapack.h"

#include <mutex>

#ifdef GYRE_BLAS
#include <cblas.h>
#include <lapack.h>
#endif

namespace gyre::lapack {

#ifdef GYRE_BLAS

bool present() noexcept { return true; }

namespace {

constinit std::mutex one_at_a_time;

}  // namespace

#define GYRE_LAPACK(T, p)                                                                         \
  template <>                                                                                     \
  int cholesky(int n, T* a) noexcept {                                                            \
    std::lock_guard lock(one_at_a_time);                                                          \
    int info = 0;                                                                                 \
    LAPACK_##p##potrf("U", &n, a, &n, &info);                                                     \
    return info;                                                                                  \
  }                                                                                               \
  template <>                                                                                     \
  int lu(int n, T* a, int* pivots) noexcept {                                                     \
    std::lock_guard lock(one_at_a_time);                                                          \
    int info = 0;                                                                                 \
    LAPACK_##p##getrf(&n, &n, a, &n, pivots, &info);                                              \
    return info;                                                                                  \
  }                                                                                               \
  template <>                                                                                     \
  int solve_transposed(int n, int k, const T* lu, const int* pivots, T* b) noexcept {             \
    std::lock_guard lock(one_at_a_time);                                                          \
    int info = 0;                                                                                 \
    LAPACK_##p##getrs("T", &n, &k, lu, &n, pivots, b, &n, &info);                                 \
    return info;                                                                                  \
  }                                                                                               \
  template <>                                                                                     \
  void solve_triangular(int how, int m, int n, const T* a, T* b) noexcept {                       \
    std::lock_guard lock(one_at_a_time);                                                          \
    bool right = how & from_the_right;                                                            \
    cblas_##p##trsm(CblasRowMajor, right ? CblasRight : CblasLeft,                                \
                    how& upper ? CblasUpper : CblasLower,                                         \
                    how& transposed ? CblasTrans : CblasNoTrans,                                  \
                    how& unit ? CblasUnit : CblasNonUnit, m, n, 1, a, right ? n : m, b, n);       \
  }                                                                                               \
  template <>                                                                                     \
  int qr(int m, int n, T* a, T* tau, T* work) noexcept {                                          \
    std::lock_guard lock(one_at_a_time);                                                          \
    int info = 0, room = static_cast<int>(qr_work(n));                                            \
    LAPACK_##p##geqrf(&m, &n, a, &m, tau, work, &room, &info);                                    \
    return info;                                                                                  \
  }                                                                                               \
  template <>                                                                                     \
  int orthogonal(int m, int k, T* a, const T* tau, T* work) noexcept {                            \
    std::lock_guard lock(one_at_a_time);                                                          \
    int info = 0, room = static_cast<int>(qr_work(k));                                            \
    LAPACK_##p##orgqr(&m, &k, &k, a, &m, tau, work, &room, &info);                                \
    return info;                                                                                  \
  }                                                                                               \
  template <>                                                                                     \
  int svd(int m, int n, T* a, T* s, T* u, T* vt, T* work, int* iwork) noexcept {                  \
    std::lock_guard lock(one_at_a_time);                                                          \
    int info = 0, k = m < n ? m : n, room = static_cast<int>(svd_work(m, n));                     \
    LAPACK_##p##gesdd("S", &m, &n, a, &m, s, u, &m, vt, &k, work, &room, iwork, &info);           \
    return info;                                                                                  \
  }                                                                                               \
  template <>                                                                                     \
  int eigh(int n, T* a, T* values, T* work, int* iwork) noexcept {                                \
    std::lock_guard lock(one_at_a_time);                                                          \
    int info = 0, room = static_cast<int>(eigh_work(n)), iroom = static_cast<int>(eigh_iwork(n)); \
    LAPACK_##p##syevd("V", "L", &n, a, &n, values, work, &room, iwork, &iroom, &info);            \
    return info;                                                                                  \
  }
GYRE_LAPACK(float, s)
GYRE_LAPACK(double, d)
#undef GYRE_LAPACK

#else

bool present() noexcept { return false; }

#define GYRE_LAPACK(T)                                                \
  template <>                                                         \
  int cholesky(int, T*) noexcept {                                    \
    return 0;                                                         \
  }                                                                   \
  template <>                                                         \
  int lu(int, T*, int*) noexcept {                                    \
    return 0;                                                         \
  }                                                                   \
  template <>                                                         \
  int solve_transposed(int, int, const T*, const int*, T*) noexcept { \
    return 0;                                                         \
  }                                                                   \
  template <>                                                         \
  void solve_triangular(int, int, int, const T*, T*) noexcept {}      \
  template <>                                                         \
  int qr(int, int, T*, T*, T*) noexcept {                             \
    return 0;                                                         \
  }                                                                   \
  template <>                                                         \
  int orthogonal(int, int, T*, const T*, T*) noexcept {               \
    return 0;                                                         \
  }                                                                   \
  template <>                                                         \
  int svd(int, int, T*, T*, T*, T*, T*, int*) noexcept {              \
    return 0;                                                         \
  }                                                                   \
  template <>                                                         \
  int eigh(int, T*, T*, T*, int*) noexcept {                          \
    return 0;                                                         \
  }
GYRE_LAPACK(float)
GYRE_LAPACK(double)
#undef GYRE_LAPACK

#endif

}  // namespace gyre::lapack
