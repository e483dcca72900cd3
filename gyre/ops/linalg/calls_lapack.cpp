#include "gyre/ops/linalg/lapack.h"

#ifdef GYRE_BLAS
#include <cblas.h>
#include <lapack.h>

#include <mutex>
#endif

namespace gyre::lapack {

#ifdef GYRE_BLAS

bool present() noexcept { return true; }

namespace {

// The reason: docs/decisions/008-linear-algebra.md.
constinit std::mutex one_at_a_time;

template <class F>
int info_of(F call) noexcept {
  std::lock_guard lock(one_at_a_time);
  int info = 0;
  call(&info);
  return info;
}

}  // namespace

#define GYRE_CALL(...) info_of([&]([[maybe_unused]] int* info) { __VA_ARGS__; })

#else

bool present() noexcept { return false; }

#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-variable"
#define GYRE_CALL(...) 0

#endif

#define GYRE_LAPACK(T, p)                                                                        \
  template <>                                                                                    \
  int cholesky(int n, T* a) noexcept {                                                           \
    return GYRE_CALL(LAPACK_##p##potrf("U", &n, a, &n, info));                                   \
  }                                                                                              \
  template <>                                                                                    \
  int lu(int n, T* a, int* pivots) noexcept {                                                    \
    return GYRE_CALL(LAPACK_##p##getrf(&n, &n, a, &n, pivots, info));                            \
  }                                                                                              \
  template <>                                                                                    \
  int solve_transposed(int n, int k, const T* lu, const int* pivots, T* b) noexcept {            \
    return GYRE_CALL(LAPACK_##p##getrs("T", &n, &k, lu, &n, pivots, b, &n, info));               \
  }                                                                                              \
  template <>                                                                                    \
  void solve_triangular(int how, int m, int n, const T* a, T* b) noexcept {                      \
    const bool right = how & from_the_right;                                                     \
    (void)GYRE_CALL(cblas_##p##trsm(                                                             \
        CblasRowMajor, right ? CblasRight : CblasLeft, (how & upper) ? CblasUpper : CblasLower,  \
        (how & transposed) ? CblasTrans : CblasNoTrans, (how & unit) ? CblasUnit : CblasNonUnit, \
        m, n, 1, a, right ? n : m, b, n));                                                       \
  }                                                                                              \
  template <>                                                                                    \
  int qr(int m, int n, T* a, T* tau, T* work) noexcept {                                         \
    int room = static_cast<int>(qr_work(n));                                                     \
    return GYRE_CALL(LAPACK_##p##geqrf(&m, &n, a, &m, tau, work, &room, info));                  \
  }                                                                                              \
  template <>                                                                                    \
  int orthogonal(int m, int k, T* a, const T* tau, T* work) noexcept {                           \
    int room = static_cast<int>(qr_work(k));                                                     \
    return GYRE_CALL(LAPACK_##p##orgqr(&m, &k, &k, a, &m, tau, work, &room, info));              \
  }                                                                                              \
  template <>                                                                                    \
  int svd(int m, int n, T* a, T* s, T* u, T* vt, T* work, int* iwork) noexcept {                 \
    int k = m < n ? m : n, room = static_cast<int>(svd_work(m, n));                              \
    return GYRE_CALL(                                                                            \
        LAPACK_##p##gesdd("S", &m, &n, a, &m, s, u, &m, vt, &k, work, &room, iwork, info));      \
  }                                                                                              \
  template <>                                                                                    \
  int eigh(int n, T* a, T* values, T* work, int* iwork) noexcept {                               \
    int room = static_cast<int>(eigh_work(n)), iroom = static_cast<int>(eigh_iwork(n));          \
    return GYRE_CALL(                                                                            \
        LAPACK_##p##syevd("V", "L", &n, a, &n, values, work, &room, iwork, &iroom, info));       \
  }
GYRE_LAPACK(float, s)
GYRE_LAPACK(double, d)

}  // namespace gyre::lapack
