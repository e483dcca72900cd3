#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

// The routines of lapack.h for small matrices: plain loops, cheaper than a library call, that run
// on all threads at once. Same arguments and results, except for rounding and signs. G. Golub and
// C. Van Loan, "Matrix computations", 2013: 4.2, 3.4, 5.2, 8.5, 8.6.

namespace gyre::small {

template <class T>
int cholesky(int n, T* a) noexcept {
  for (int j = 0; j < n; ++j) {
    T *column = a + j * n, rest = column[j];
    for (int i = 0; i < j; ++i) {
      T sum = column[i];
      for (int k = 0; k < i; ++k) sum -= a[k + i * n] * column[k];
      column[i] = sum / a[i + i * n];
      rest -= column[i] * column[i];
    }
    if (!(rest > 0)) return j + 1;
    column[j] = std::sqrt(rest);
  }
  return 0;
}

template <class T>
int lu(int n, T* a, int* pivots) noexcept {
  int info = 0;
  for (int k = 0; k < n; ++k) {
    int p = k;
    for (int i = k + 1; i < n; ++i) {
      if (std::fabs(a[i + k * n]) > std::fabs(a[p + k * n])) p = i;
    }
    pivots[k] = p + 1;
    for (int j = 0; p != k && j < n; ++j) std::swap(a[k + j * n], a[p + j * n]);
    if (a[k + k * n] == 0) {
      if (info == 0) info = k + 1;
      continue;
    }
    for (int i = k + 1; i < n; ++i) a[i + k * n] /= a[k + k * n];
    for (int j = k + 1; j < n; ++j) {
      T factor = a[k + j * n];
      for (int i = k + 1; i < n; ++i) a[i + j * n] -= a[i + k * n] * factor;
    }
  }
  return info;
}

template <class T>
void solve_transposed(int n, int k, const T* lu, const int* pivots, T* b) noexcept {
  for (T* x = b; x != b + int64_t{n} * k; x += n) {
    for (int i = 0; i < n; ++i) {
      for (int l = 0; l < i; ++l) x[i] -= lu[l + i * n] * x[l];
      x[i] /= lu[i + i * n];
    }
    for (int i = n; i-- > 0;) {
      for (int l = i + 1; l < n; ++l) x[i] -= lu[l + i * n] * x[l];
    }
    for (int i = n; i-- > 0;) std::swap(x[i], x[pivots[i] - 1]);
  }
}

/// Element (i, j) of op(a) is a[i * row + j * col].
template <class T>
void solve_from_left(bool upper, bool unit, int m, int n, const T* a, int row, int col,
                     T* b) noexcept {
  for (int step = 0; step < m; ++step) {
    int i = upper ? m - 1 - step : step;
    T* x = b + int64_t{i} * n;
    for (int k = upper ? i + 1 : 0; k < (upper ? m : i); ++k) {
      T factor = a[i * row + k * col];
      for (int j = 0; j < n; ++j) x[j] -= factor * b[int64_t{k} * n + j];
    }
    for (int j = 0; !unit && j < n; ++j) x[j] /= a[i * row + i * col];
  }
}
template <class T>
void solve_from_right(bool upper, bool unit, int m, int n, const T* a, int row, int col,
                      T* b) noexcept {
  for (T* x = b; x != b + int64_t{m} * n; x += n) {
    for (int step = 0; step < n; ++step) {
      int j = upper ? step : n - 1 - step;
      for (int k = upper ? 0 : j + 1; k < (upper ? j : n); ++k) x[j] -= x[k] * a[k * row + j * col];
      if (!unit) x[j] /= a[j * row + j * col];
    }
  }
}

/// Euclidean norm of n numbers without overflow.
template <class T>
T length(const T* x, int n) noexcept {
  T largest = 0, sum = 0;
  for (int i = 0; i < n; ++i) largest = std::max(largest, std::fabs(x[i]));
  if (!(largest > 0)) return largest;
  for (int i = 0; i < n; ++i) sum += (x[i] / largest) * (x[i] / largest);
  return largest * std::sqrt(sum);
}

/// Applies the Householder reflection I - tau v v^T to x; v[0] is taken as 1.
template <class T>
void reflect(int n, const T* v, T tau, T* x) noexcept {
  T sum = x[0];
  for (int i = 1; i < n; ++i) sum += v[i] * x[i];
  sum *= tau;
  x[0] -= sum;
  for (int i = 1; i < n; ++i) x[i] -= sum * v[i];
}

template <class T>
void qr(int m, int n, T* a, T* tau) noexcept {
  for (int j = 0; j < std::min(m, n); ++j) {
    T* v = a + j + j * m;
    T rest = length(v + 1, m - j - 1), first = v[0];
    tau[j] = 0;
    if (rest == 0) continue;
    T both[] = {first, rest}, beta = -std::copysign(length(both, 2), first);
    tau[j] = (beta - first) / beta;
    for (int i = 1; i < m - j; ++i) v[i] /= first - beta;
    for (int c = j + 1; c < n; ++c) reflect(m - j, v, tau[j], a + j + c * m);
    v[0] = beta;
  }
}

template <class T>
void orthogonal(int m, int k, T* a, const T* tau) noexcept {
  for (int j = k; j-- > 0;) {
    T* v = a + j + j * m;
    for (int c = j + 1; c < k; ++c) reflect(m - j, v, tau[j], a + j + c * m);
    for (int i = 0; i < j; ++i) a[i + j * m] = 0;
    v[0] = 1 - tau[j];
    for (int i = 1; i < m - j; ++i) v[i] *= -tau[j];
  }
}

/// Cosine and sine of the Jacobi rotation that zeroes x^T y or a_pq: zeta is half the difference of
/// the diagonal entries divided by it.
template <class T>
struct Rotation {
  T tangent, cosine, sine;
  explicit Rotation(T zeta)
      : tangent(std::copysign(T(1), zeta) / (std::fabs(zeta) + std::sqrt(1 + zeta * zeta))),
        cosine(1 / std::sqrt(1 + tangent * tangent)),
        sine(cosine * tangent) {}
  void turn(T& x, T& y) const {
    T old = x;
    x = cosine * old - sine * y;
    y = sine * old + cosine * y;
  }
};

inline constexpr int kMostSweeps = 30;

/// Jacobi eigenvalue algorithm; work [n * n]. Eigenvectors in the columns of a, eigenvalues
/// ascending.
template <class T>
void eigh(int n, T* a, T* values, T* work) noexcept {
  T largest = 0;
  for (int i = 0; i < n * n; ++i) largest = std::max(largest, std::fabs(a[i]));
  T nothing = largest * std::numeric_limits<T>::epsilon() / 16;
  for (int i = 0; i < n * n; ++i) work[i] = i % (n + 1) == 0 ? T(1) : T(0);
  bool turned = true;
  for (int sweep = 0; turned && sweep < kMostSweeps; ++sweep) {
    turned = false;
    for (int p = 0; p < n; ++p) {
      for (int q = p + 1; q < n; ++q) {
        T between = a[p + q * n];
        if (std::fabs(between) <= nothing) continue;
        turned = true;
        Rotation<T> r((a[q + q * n] / 2 - a[p + p * n] / 2) / between);
        a[p + p * n] -= r.tangent * between;
        a[q + q * n] += r.tangent * between;
        a[p + q * n] = a[q + p * n] = 0;
        for (int k = 0; k < n; ++k) {
          r.turn(work[k + p * n], work[k + q * n]);
          if (k == p || k == q) continue;
          r.turn(a[k + p * n], a[k + q * n]);
          a[p + k * n] = a[k + p * n];
          a[q + k * n] = a[k + q * n];
        }
      }
    }
  }
  for (int i = 0; i < n; ++i) values[i] = a[i + i * n];
  for (int to = 0; to < n; ++to) {
    int least = static_cast<int>(std::min_element(values + to, values + n) - values);
    std::swap(values[to], values[least]);
    for (int k = 0; k < n; ++k) {
      std::swap(work[k + to * n], work[k + least * n]);
      a[k + to * n] = work[k + to * n];
    }
  }
}

/// Replaces column `to` of g [p, ...] by a unit vector orthogonal to the columns before it.
template <class T>
void complete(int p, int to, T* g) noexcept {
  T* x = g + to * p;
  for (int axis = 0; axis < p; ++axis) {
    for (int i = 0; i < p; ++i) x[i] = i == axis ? T(1) : T(0);
    for (int c = 0; c < 2 * to; ++c) {  // twice, against rounding
      const T* other = g + c % to * p;
      T dot = 0;
      for (int i = 0; i < p; ++i) dot += x[i] * other[i];
      for (int i = 0; i < p; ++i) x[i] -= dot * other[i];
    }
    T norm = length(x, p);
    for (int i = 0; i < p; ++i) x[i] /= norm;
    if (norm * norm * static_cast<T>(2 * p) > 1) return;
  }
}

/// Whether column `to` of g [p, ...] is orthogonal to the columns before it, all of length 1.
template <class T>
bool is_orthogonal(int p, int to, const T* g) noexcept {
  for (int c = 0; c < to; ++c) {
    T dot = 0;
    for (int i = 0; i < p; ++i) dot += g[i + to * p] * g[i + c * p];
    if (std::fabs(dot) > 64 * std::numeric_limits<T>::epsilon()) return false;
  }
  return true;
}

/// One-sided Jacobi: rotates the columns of g [p, k] until they are orthogonal, and those of w [k,
/// k] with them (M. Hestenes, "Inversion of matrices by biorthogonalization", 1958).
template <class T>
void turn_columns(int p, int k, T* g, T* w) noexcept {
  const T nothing = 4 * std::numeric_limits<T>::epsilon();
  bool turned = true;
  for (int sweep = 0; turned && sweep < kMostSweeps; ++sweep) {
    turned = false;
    for (int i = 0; i < k; ++i) {
      for (int j = i + 1; j < k; ++j) {
        T *x = g + i * p, *y = g + j * p, xx = 0, yy = 0, xy = 0;
        for (int l = 0; l < p; ++l) {
          xx += x[l] * x[l];
          yy += y[l] * y[l];
          xy += x[l] * y[l];
        }
        if (std::fabs(xy) <= nothing * std::sqrt(xx) * std::sqrt(yy)) continue;
        turned = true;
        Rotation<T> r((yy - xx) / (2 * xy));
        for (int l = 0; l < p; ++l) r.turn(x[l], y[l]);
        for (int l = 0; l < k; ++l) r.turn(w[l + i * k], w[l + j * k]);
      }
    }
  }
}

/// One-sided Jacobi on the columns of a, or of a^T if a is wide; work [max(m, n) k + k k].
template <class T>
void svd(int m, int n, const T* a, T* s, T* u, T* vt, T* work) noexcept {
  bool wide = m < n;
  int k = wide ? m : n, p = wide ? n : m;
  T *g = work, *w = work + p * k, largest = 0;
  for (int i = 0; i < m * n; ++i) largest = std::max(largest, std::fabs(a[i]));
  T scale = largest > 0 ? largest : T(1);  // squares neither overflow nor all vanish
  for (int i = 0; i < p; ++i) {
    for (int j = 0; j < k; ++j) g[i + j * p] = (wide ? a[j + i * m] : a[i + j * m]) / scale;
  }
  for (int i = 0; i < k * k; ++i) w[i] = i % (k + 1) == 0 ? T(1) : T(0);
  turn_columns(p, k, g, w);
  for (int i = 0; i < k; ++i) s[i] = length(g + i * p, p);
  for (int to = 0; to < k; ++to) {
    int most = static_cast<int>(std::max_element(s + to, s + k) - s);
    std::swap(s[to], s[most]);
    if (most != to) {
      std::swap_ranges(g + to * p, g + (to + 1) * p, g + most * p);
      std::swap_ranges(w + to * k, w + (to + 1) * k, w + most * k);
    }
    for (int i = 0; i < p && s[to] > 0; ++i) g[i + to * p] /= s[to];
    // what is left of a dependent column may be nothing but rounding errors, of any direction
    if (!(s[to] > 0) || !is_orthogonal(p, to, g)) complete(p, to, g);
    s[to] *= scale;
    for (int i = 0; i < m; ++i) u[i + to * m] = wide ? w[i + to * k] : g[i + to * p];
    for (int i = 0; i < n; ++i) vt[to + i * k] = wide ? g[i + to * p] : w[i + to * k];
  }
}

}  // namespace gyre::small
