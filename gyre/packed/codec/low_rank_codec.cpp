#include <algorithm>
#include <cmath>
#include <vector>

#include "gyre/base/philox.h"
#include "gyre/base/thread_pool.h"
#include "gyre/ops/linalg/gemm.h"
#include "gyre/packed/codec/matrix_codec.h"
#include "gyre/packed/codec/stored.h"

// A product of two factors (low_rank), f16: left [rows, rank], whose columns are orthonormal, then
// right [rank, cols]. The rank is the largest with at most four bits a weight, 1 at least.

namespace gyre {
namespace {

constexpr int kSubspaceRounds = 3;
constexpr int64_t kHalf = sizeof(f16);

int64_t rank_of(const MatrixSize& size) {
  const int64_t most = size.rows * size.cols / (4 * (size.rows + size.cols));
  return std::clamp<int64_t>(most, 1, std::min(size.rows, size.cols));
}

int64_t low_rank_bytes(const MatrixSize& size) {
  return rank_of(size) * (size.rows + size.cols) * kHalf;
}

float factor_at(const std::byte* from, int64_t i) { return stored_half(from + i * kHalf); }

// Makes the rows of q [n, length] orthonormal, twice for rounding; rows that depend on those before
// become 0.
void orthonormalise(std::vector<float>& q, int64_t n, int64_t length) {
  for (int64_t i = 0; i < n; ++i) {
    float* row = q.data() + i * length;
    double before = 0;
    for (int64_t k = 0; k < length; ++k) before += static_cast<double>(row[k]) * row[k];
    for (int pass = 0; pass < 2; ++pass) {
      for (int64_t j = 0; j < i; ++j) {
        const float* other = q.data() + j * length;
        double dot = 0;
        for (int64_t k = 0; k < length; ++k) dot += static_cast<double>(row[k]) * other[k];
        for (int64_t k = 0; k < length; ++k) row[k] -= static_cast<float>(dot) * other[k];
      }
    }
    double squares = 0;
    for (int64_t k = 0; k < length; ++k) squares += static_cast<double>(row[k]) * row[k];
    const double by = squares > 1e-12 * before ? 1 / std::sqrt(squares) : 0;
    for (int64_t k = 0; k < length; ++k) row[k] *= static_cast<float>(by);
  }
}

// Subspace iteration from random numbers (N. Halko, P. Martinsson, J. Tropp, "Finding structure
// with randomness", 2011, algorithm 4.4): rows of `left` [rank, rows] span what x is in most.
void low_rank_encode(const MatrixSize& size, const float* x, std::byte* to, WeightsDone& done) {
  const auto [rows, cols] = size;
  const int64_t rank = rank_of(size);
  float most = 0;
  for (int64_t i = 0; i < rows * cols; ++i) most = std::max(most, std::fabs(x[i]));
  const float by = most > 0 ? 1 / most : 0;
  if (!std::isfinite(by)) return;  // so small that f16 has 0 for all, as it is in `to`
  std::vector<float> unit(x, x + rows * cols), left(static_cast<size_t>(rank * rows)),
      right(static_cast<size_t>(rank * cols));
  for (float& value : unit) value *= by;
  uint64_t draws = 0;
  for (float& value : right) value = static_cast<float>(philox(1, draws++)[0]) * 0x1p-31F - 1;
  const auto to_left = [&] {  // left = right x^T
    gemm(Gemm<float>{.m = rank,
                     .n = rows,
                     .k = cols,
                     .a = right.data(),
                     .a_row = cols,
                     .b = unit.data(),
                     .b_row = 1,
                     .b_col = cols,
                     .c = left.data(),
                     .c_row = rows});
    orthonormalise(left, rank, rows);
  };
  const auto to_right = [&] {  // right = left x
    gemm(Gemm<float>{.m = rank,
                     .n = cols,
                     .k = rows,
                     .a = left.data(),
                     .a_row = rows,
                     .b = unit.data(),
                     .b_row = cols,
                     .c = right.data(),
                     .c_row = cols});
  };
  for (int round = 0; round < kSubspaceRounds; ++round) {
    to_left();
    to_right();
    if (round + 1 < kSubspaceRounds) orthonormalise(right, rank, cols);
    done.add(rows * cols / kSubspaceRounds);
  }
  const auto put = [&](int64_t i, float value) { store_half(value, to + i * kHalf); };
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t k = 0; k < rank; ++k) put(i * rank + k, left[static_cast<size_t>(k * rows + i)]);
  }
  for (int64_t i = 0; i < rank * cols; ++i)
    put(rows * rank + i, right[static_cast<size_t>(i)] * most);
}

void low_rank_decode(const MatrixSize& size, const std::byte* from, int64_t first, int64_t count,
                     float* to) {
  const int64_t rank = rank_of(size);
  std::fill_n(to, count * size.cols, 0.0F);
  std::vector<float> right(static_cast<size_t>(size.cols));
  for (int64_t k = 0; k < rank; ++k) {
    for (int64_t j = 0; j < size.cols; ++j)
      right[static_cast<size_t>(j)] = factor_at(from, size.rows * rank + k * size.cols + j);
    for (int64_t i = 0; i < count; ++i) {
      const float left = factor_at(from, (first + i) * rank + k);
      float* row = to + i * size.cols;
      for (int64_t j = 0; j < size.cols; ++j) row[j] += left * right[static_cast<size_t>(j)];
    }
  }
}

const char* low_rank_fault(const MatrixSize& size, const std::byte* from) {
  for (int64_t i = 0; i < low_rank_bytes(size) / kHalf; ++i) {
    if (!std::isfinite(factor_at(from, i))) return "a factor is not finite";
  }
  return nullptr;
}

}  // namespace

constinit const MatrixFunctions low_rank_functions{low_rank_bytes, low_rank_encode, low_rank_decode,
                                                   low_rank_fault};

}  // namespace gyre
