#include <algorithm>
#include <cmath>

#include "tests/conformance/definitions.h"

// Linear systems and determinants by elimination, cholesky and qr column by column. Ops that are
// only checked by residuals (svd, eigh) are tested beside their source.

namespace gyre::conformance {
namespace {

// A matrix in row-major order.
struct Matrix {
  int64_t rows = 0, cols = 0;
  Values v;
  double& at(int64_t i, int64_t j) { return v[static_cast<size_t>(i * cols + j)]; }
};

Matrix zeros(int64_t rows, int64_t cols) {
  return {rows, cols, Values(static_cast<size_t>(rows * cols), 0.0)};
}

Matrix transposed(Matrix a) {
  Matrix t = zeros(a.cols, a.rows);
  for (int64_t i = 0; i < a.rows; ++i) {
    for (int64_t j = 0; j < a.cols; ++j) t.at(j, i) = a.at(i, j);
  }
  return t;
}

Matrix product(Matrix a, Matrix b) {
  Matrix r = zeros(a.rows, b.cols);
  for (int64_t i = 0; i < a.rows; ++i) {
    for (int64_t j = 0; j < b.cols; ++j) {
      for (int64_t k = 0; k < a.cols; ++k) r.at(i, j) += a.at(i, k) * b.at(k, j);
    }
  }
  return r;
}

// The matrix at index `at` of a batch; a vector is one column.
Matrix matrix_of(const Dense& x, const Shape& space, const int64_t* at) {
  bool vector = x.shape.rank == 1;
  Matrix m{vector ? x.shape[0] : x.shape.back(1), vector ? 1 : x.shape.back(), {}};
  Dense batch;
  batch.shape = x.shape;
  batch.shape.rank = vector ? 0 : x.shape.rank - 2;
  for (int64_t i = 0; i < numel(batch.shape); ++i) batch.v.push_back(static_cast<double>(i));
  auto first = static_cast<ptrdiff_t>(at_place(batch, space, at)) * m.rows * m.cols;
  m.v.assign(x.v.begin() + first, x.v.begin() + first + m.rows * m.cols);
  return m;
}

// f(matrices of the operands) for each index of the batch; its results, concatenated.
using Many = std::vector<Values>;
template <class F>
Many each_matrix(const std::vector<Dense>& in, size_t results, F f) {
  std::vector<Dense> batches;
  for (const Dense& x : in) {
    Dense b;
    b.shape = x.shape;
    b.shape.rank = std::max(0, x.shape.rank - 2);
    b.v.assign(static_cast<size_t>(numel(b.shape)), 0.0);
    batches.push_back(b);
  }
  Shape space = broadcast_space(batches);
  Many r(results);
  each_place(space, [&](const int64_t* at) {
    std::vector<Matrix> matrices;
    for (const Dense& x : in) matrices.push_back(matrix_of(x, space, at));
    std::vector<Matrix> parts = f(matrices);
    for (size_t k = 0; k < results; ++k) {
      r[k].insert(r[k].end(), parts[k].v.begin(), parts[k].v.end());
    }
  });
  return r;
}

// Reduces a to upper triangular form and b with it, with pivoting; returns the sign of the
// permutation.
double eliminate(Matrix& a, Matrix& b) {
  double sign = 1;
  for (int64_t k = 0; k < a.rows; ++k) {
    int64_t p = k;
    for (int64_t i = k; i < a.rows; ++i) {
      if (std::fabs(a.at(i, k)) > std::fabs(a.at(p, k))) p = i;
    }
    if (p != k) sign = -sign;
    for (int64_t j = 0; p != k && j < a.cols; ++j) std::swap(a.at(k, j), a.at(p, j));
    for (int64_t j = 0; p != k && j < b.cols; ++j) std::swap(b.at(k, j), b.at(p, j));
    for (int64_t i = k + 1; i < a.rows; ++i) {
      double factor = a.at(i, k) / a.at(k, k);
      for (int64_t j = k; j < a.cols; ++j) a.at(i, j) -= factor * a.at(k, j);
      for (int64_t j = 0; j < b.cols; ++j) b.at(i, j) -= factor * b.at(k, j);
    }
  }
  return sign;
}

Matrix solved(Matrix a, Matrix b) {
  eliminate(a, b);
  for (int64_t i = a.rows; i-- > 0;) {
    for (int64_t j = 0; j < b.cols; ++j) {
      for (int64_t k = i + 1; k < a.rows; ++k) b.at(i, j) -= a.at(i, k) * b.at(k, j);
      b.at(i, j) /= a.at(i, i);
    }
  }
  return b;
}

Matrix identity(int64_t n) {
  Matrix r = zeros(n, n);
  for (int64_t i = 0; i < n; ++i) r.at(i, i) = 1;
  return r;
}

Matrix triangular(const Call& call, Matrix a, const Matrix& b) {
  bool upper = attribute(call, "upper", false), unit = attribute(call, "unitriangular", false);
  for (int64_t i = 0; i < a.rows; ++i) {
    for (int64_t j = 0; j < a.cols; ++j) {
      if (upper ? i > j : i < j) a.at(i, j) = 0;
      if (i == j && unit) a.at(i, j) = 1;
    }
  }
  if (attribute(call, "transpose", false)) a = transposed(a);
  if (attribute(call, "left", true)) return solved(a, b);
  return transposed(solved(transposed(a), transposed(b)));
}

Matrix cholesky(Matrix a) {
  Matrix l = zeros(a.rows, a.rows);
  for (int64_t j = 0; j < a.rows; ++j) {
    for (int64_t i = j; i < a.rows; ++i) {
      double s = (a.at(i, j) + a.at(j, i)) / 2;
      for (int64_t k = 0; k < j; ++k) s -= l.at(i, k) * l.at(j, k);
      l.at(i, j) = i == j ? std::sqrt(s) : s / l.at(j, j);
    }
  }
  return l;
}

// Gram-Schmidt, with each column orthogonalised twice.
std::vector<Matrix> qr(Matrix a) {
  int64_t k = std::min(a.rows, a.cols);
  Matrix q = zeros(a.rows, k);
  for (int64_t j = 0; j < k; ++j) {
    for (int64_t i = 0; i < a.rows; ++i) q.at(i, j) = a.at(i, j);
    for (int pass = 0; pass < 2; ++pass) {
      for (int64_t p = 0; p < j; ++p) {
        double dot = 0;
        for (int64_t i = 0; i < a.rows; ++i) dot += q.at(i, p) * q.at(i, j);
        for (int64_t i = 0; i < a.rows; ++i) q.at(i, j) -= dot * q.at(i, p);
      }
    }
    double norm = 0;
    for (int64_t i = 0; i < a.rows; ++i) norm = std::hypot(norm, q.at(i, j));
    for (int64_t i = 0; i < a.rows; ++i) q.at(i, j) /= norm;
  }
  return {q, product(transposed(q), a)};
}

// Least squares by the normal equations; the minimum-norm solution of underdetermined systems.
Matrix least_squares(const Matrix& a, const Matrix& b) {
  Matrix t = transposed(a);
  if (a.rows >= a.cols) return solved(product(t, a), product(t, b));
  return product(t, solved(product(a, t), b));
}

Matrix power(const Call& call, const Matrix& a) {
  auto n = attribute<int64_t>(call, "power", 0);
  Matrix r = identity(a.rows), factor = n < 0 ? solved(a, identity(a.rows)) : a;
  for (int64_t i = 0; i < std::abs(n); ++i) r = product(r, factor);
  return r;
}

// By Laplace expansion along the first row.
double det(Matrix a) {
  if (a.rows == 0) return 1;
  double sum = 0;
  for (int64_t k = 0; k < a.rows; ++k) {
    Matrix minor = zeros(a.rows - 1, a.rows - 1);
    for (int64_t i = 1; i < a.rows; ++i) {
      for (int64_t j = 0; j < a.rows; ++j) {
        if (j != k) minor.at(i - 1, j - (j > k)) = a.at(i, j);
      }
    }
    sum += (k % 2 ? -1 : 1) * a.at(0, k) * det(minor);
  }
  return sum;
}

// Sign and logarithm of the magnitude.
std::vector<Matrix> slogdet(Matrix a) {
  Matrix none = zeros(a.rows, 0);
  double sign = eliminate(a, none), log = 0;
  for (int64_t i = 0; i < a.rows; ++i) {
    sign *= a.at(i, i) < 0 ? -1 : 1;
    log += std::log(std::fabs(a.at(i, i)));
  }
  return {{1, 1, {sign}}, {1, 1, {log}}};
}

using Matrices = const std::vector<Matrix>&;

template <class F>
Definition of_each(size_t results, F f) {
  return [=](const Call& call, const std::vector<Dense>& in) {
    return each_matrix(in, results, [&](Matrices m) { return f(call, m); });
  };
}

std::vector<Matrix> one(Matrix m) { return {std::move(m)}; }

const Definitions kDecompositions({
    {"solve", of_each(1, [](const Call&, Matrices m) { return one(solved(m[0], m[1])); })},
    {"triangular_solve",
     of_each(1, [](const Call& c, Matrices m) { return one(triangular(c, m[0], m[1])); })},
    {"inverse",
     of_each(1, [](const Call&, Matrices m) { return one(solved(m[0], identity(m[0].rows))); })},
    {"matrix_power", of_each(1, [](const Call& c, Matrices m) { return one(power(c, m[0])); })},
    {"det", of_each(1,
                    [](const Call&, Matrices m) {
                      return one({1, 1, {det(m[0])}});
                    })},
    {"slogdet", of_each(2, [](const Call&, Matrices m) { return slogdet(m[0]); })},
    {"lstsq", of_each(1, [](const Call&, Matrices m) { return one(least_squares(m[0], m[1])); })},
    {"cholesky", of_each(1, [](const Call&, Matrices m) { return one(cholesky(m[0])); })},
    {"qr", of_each(2, [](const Call&, Matrices m) { return qr(m[0]); })},
});

}  // namespace
}  // namespace gyre::conformance
