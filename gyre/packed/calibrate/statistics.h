#pragma once
#include "gyre/packed/calibrate/calibrated_encode.h"
#include "gyre/packed/calibrate/watched.h"

namespace gyre {

/// The mean of x x^T over the inputs x of a linear layer.
class InputStatistics final : public WeightWitness {
 public:
  void inputs(const Tensor& x) override;
  void gradient(const FactoredTerm&) override {}
  /// [cols, cols], or empty if there were none.
  [[nodiscard]] Tensor mean() const;

 private:
  Tensor sum_{};
  int64_t count_ = 0;
};

/// A Kronecker product O (x) H near to the sum of vec(g x^T) vec(g x^T)^T over inputs x of a matrix
/// and the gradients g of its outputs: H is the sum of |g|^2 x x^T, O that of |x|^2 g g^T. For
/// gradients of the log-likelihood of sampled outputs that sum is the Fisher information of the
/// matrix, but for the correlation of places in a sequence (sketch A of Tseng et al. 2025). A
/// lookup of a row has the gradient of the row as x, and g is 1 for that row.
class KroneckerStatistics final : public WeightWitness {
 public:
  /// Of a matrix with `rows` rows, of which more than `most_outputs` leave O diagonal.
  explicit KroneckerStatistics(int64_t rows, int64_t most_outputs = kMostOutputs)
      : rows_(rows), whole_(rows <= most_outputs) {}
  void inputs(const Tensor&) override {}
  void gradient(const FactoredTerm& term) override;
  /// Each with a mean diagonal of 1; `outputs` is empty where O is diagonal.
  [[nodiscard]] CalibrationSides sides() const;
  /// For each row the sum of |g_row x|^2; empty if there was no gradient.
  [[nodiscard]] std::vector<double> row_squares() const;

  static constexpr int64_t kMostOutputs = 2048;

 private:
  void add_product(const Tensor& g, const Tensor& x);
  void add_rows(const Tensor& indices, const Tensor& x);

  int64_t rows_;
  bool whole_;
  Tensor inputs_{}, outputs_{};  ///< the sums; `outputs_` is [rows, rows], or [rows] of a diagonal
};

}  // namespace gyre
