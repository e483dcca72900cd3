#pragma once
#include <cstdint>
#include <vector>

#include "gyre/tensor/tensor.h"

namespace gyre {

/// Adds `damping` times the mean of the diagonal of x [n, n] to it, or 1 if that is 0: where a text
/// says nothing of inputs or outputs, errors count a little. Returns the trace of the result.
double damp(std::vector<double>& x, int64_t n, double damping);
double damp(std::vector<float>& x, int64_t n, double damping);

/// H + d I = L D L^T for a symmetric matrix H: L is lower triangular and has identity matrices of
/// `block` rows along its diagonal, D is zero outside of such blocks.
class BlockFactor {
 public:
  /// H [n, n] with the d of damp(). By Cholesky decomposition in f64: errors of cholesky(),
  /// Error{numeric} if H + d I is not positive definite or not finite.
  BlockFactor(const Tensor& h, int64_t block, double damping);

  [[nodiscard]] int64_t size() const { return n_; }
  [[nodiscard]] float at(int64_t row, int64_t col) const {
    return l_[static_cast<size_t>(row * n_ + col)];
  }
  /// Columns [begin, end) of L from row `begin` on, row after row.
  [[nodiscard]] std::vector<float> panel(int64_t begin, int64_t end) const;
  /// The trace of D over that of H + d I: what feedback leaves of an error.
  [[nodiscard]] double remainder() const { return remainder_; }
  /// The squares of the entries of the inverse of L [n, n]: what the square of an error at a column
  /// makes of those at a row.
  [[nodiscard]] std::vector<double> spread() const;

 private:
  int64_t n_;
  std::vector<float> l_;
  double remainder_ = 1;
};

}  // namespace gyre
