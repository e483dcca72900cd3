#include "gyre/packed/calibrate/block_factor.h"

#include <cmath>

#include "gyre/base/error.h"
#include "gyre/base/thread_pool.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/linalg/decompositions.h"
#include "gyre/ops/linalg/solve.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

// Row r of c, lower triangular [n, n], times the inverse of each block on its diagonal, for the
// blocks left of that row's own.
void divide_by_blocks(const std::vector<double>& c, int64_t n, int64_t block, int64_t row,
                      float* to) {
  const auto at = [&](int64_t i, int64_t j) { return c[static_cast<size_t>(i * n + j)]; };
  std::vector<double> solved(static_cast<size_t>(block));
  for (int64_t first = 0; first + block <= row; first += block) {
    for (int64_t j = block - 1; j >= 0; --j) {
      double sum = at(row, first + j);
      for (int64_t k = j + 1; k < block; ++k)
        sum -= solved[static_cast<size_t>(k)] * at(first + k, first + j);
      solved[static_cast<size_t>(j)] = sum / at(first + j, first + j);
      to[first + j] = static_cast<float>(solved[static_cast<size_t>(j)]);
    }
  }
  to[row] = 1;
}

template <class T>
double damped_trace(std::vector<T>& x, int64_t n, double damping) {
  double trace = 0;
  for (int64_t i = 0; i < n; ++i) trace += static_cast<double>(x[static_cast<size_t>(i * (n + 1))]);
  const double more = trace == 0 ? 1 : damping * trace / static_cast<double>(n);
  for (int64_t i = 0; i < n; ++i) x[static_cast<size_t>(i * (n + 1))] += static_cast<T>(more);
  return trace + more * static_cast<double>(n);
}

}  // namespace

double damp(std::vector<double>& x, int64_t n, double damping) {
  return damped_trace(x, n, damping);
}
double damp(std::vector<float>& x, int64_t n, double damping) {
  return damped_trace(x, n, damping);
}

BlockFactor::BlockFactor(const Tensor& h, int64_t block, double damping) : n_(h.size(0)) {
  NoGrad off;
  std::vector<double> damped = to_vector<double>(h);
  const double trace = damp(damped, n_, damping);
  const std::vector<double> c = to_vector<double>(cholesky(tensor<double>(damped, {n_, n_})));
  l_.assign(damped.size(), 0);
  double left = 0;
  for (int64_t i = 0; i < n_; ++i) {
    const int64_t first =
        i / block * block;  // of the row's block, whose squares are the trace of D
    for (int64_t j = first; j <= i; ++j) {
      const double entry = c[static_cast<size_t>(i * n_ + j)];
      left += entry * entry;
    }
  }
  remainder_ = left / trace;
  if (!std::isfinite(remainder_)) {
    throw mismatch(Code::numeric, "packed_encode", "statistics must be finite", "finite numbers",
                   remainder_);
  }
  parallel_for(n_, 64, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) divide_by_blocks(c, n_, block, i, l_.data() + i * n_);
  });
}

std::vector<double> BlockFactor::spread() const {
  NoGrad off;
  const Tensor l = to(tensor<float>(l_, {n_, n_}), DType::f64), one = to(eye(n_), DType::f64);
  std::vector<double> entries =
      to_vector<double>(triangular_solve(l, one, {.unitriangular = true}));
  for (double& v : entries) v *= v;
  return entries;
}

std::vector<float> BlockFactor::panel(int64_t begin, int64_t end) const {
  std::vector<float> part;
  part.reserve(static_cast<size_t>((n_ - begin) * (end - begin)));
  for (int64_t i = begin; i < n_; ++i) {
    const auto row = l_.begin() + i * n_;
    part.insert(part.end(), row + begin, row + end);
  }
  return part;
}

}  // namespace gyre
