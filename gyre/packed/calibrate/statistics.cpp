#include "gyre/packed/calibrate/statistics.h"

#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

Tensor plus(const Tensor& sum, const Tensor& more) { return sum.defined() ? sum + more : more; }

Tensor diagonal_of(const Tensor& x) { return sum(x * eye(x.size(0)), {.axes = {1}}); }

// Times a number, so that the mean of the diagonal is 1; as it is if that is 0.
Tensor normalised(const Tensor& x) {
  if (!x.defined()) return x;
  const double total = sum(x.rank() == 2 ? diagonal_of(x) : x).item();
  return total > 0 ? x * Tensor(static_cast<double>(x.size(0)) / total) : x;
}

Tensor row_squares_of(const Tensor& x) { return sum(x * x, {.axes = {1}, .keepdim = true}); }

// The sum of by_i x_i x_i^T over the rows of x.
Tensor products_of(const Tensor& x, const Tensor& by) { return matmul(transpose(x * by, 0, 1), x); }

}  // namespace

void InputStatistics::inputs(const Tensor& x) {
  NoGrad off;
  const Tensor rows = to(x, DType::f32);
  sum_ = plus(sum_, matmul(transpose(rows, 0, 1), rows));
  count_ += rows.size(0);
}

Tensor InputStatistics::mean() const {
  NoGrad off;
  return count_ > 0 ? sum_ / Tensor(static_cast<double>(count_)) : Tensor();
}

void KroneckerStatistics::gradient(const FactoredTerm& term) {
  NoGrad off;
  const Tensor right = to(term.right, DType::f32);
  if (term.sort == FactoredTerm::product) add_product(to(term.left, DType::f32), right);
  if (term.sort == FactoredTerm::rows) add_rows(term.left, right);
}

void KroneckerStatistics::add_product(const Tensor& g, const Tensor& x) {
  const Tensor by = row_squares_of(x);
  inputs_ = plus(inputs_, products_of(x, row_squares_of(g)));
  outputs_ = plus(outputs_, whole_ ? products_of(g, by) : sum(g * g * by, {.axes = {0}}));
}

void KroneckerStatistics::add_rows(const Tensor& indices, const Tensor& x) {
  const Tensor squares = reshape(row_squares_of(x), {-1}),
               diagonal = index_add(zeros({rows_}), 0, indices, squares);
  inputs_ = plus(inputs_, matmul(transpose(x, 0, 1), x));
  outputs_ = plus(outputs_, whole_ ? eye(rows_) * reshape(diagonal, {-1, 1}) : diagonal);
}

CalibrationSides KroneckerStatistics::sides() const {
  NoGrad off;
  return {normalised(inputs_), whole_ ? normalised(outputs_) : Tensor()};
}

std::vector<double> KroneckerStatistics::row_squares() const {
  NoGrad off;
  if (!outputs_.defined()) return {};
  return to_vector<double>(whole_ ? diagonal_of(outputs_) : outputs_);
}

}  // namespace gyre
