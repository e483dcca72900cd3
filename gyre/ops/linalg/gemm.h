#pragma once
#include <cstdint>

#include "gyre/base/function_ref.h"

namespace gyre {

/// One product C = A B (+ C) (+ bias): A is [m, k], B is [k, n], C is [m, n]. Strides are in
/// elements. Of the two strides of A one must be 1, and of B one, unless the extent along it is at
/// most 1 (so a transposed operand costs no copy). C does not overlap A, B or bias.
template <class T>
struct Gemm {
  int64_t m = 0, n = 0, k = 0;
  const T* a = nullptr;
  int64_t a_row = 0, a_col = 1;
  const T* b = nullptr;
  int64_t b_row = 0, b_col = 1;
  T* c = nullptr;
  int64_t c_row = 0;        ///< elements of a row of C are adjacent
  bool accumulate = false;  ///< add to what C holds
  const T* bias = nullptr;  ///< [n], added to every row; may be null
};

/// Computes one product on the threads of the pool, for T = float, double, f16, bf16 or int64_t,
/// which wraps. f16 and bf16 are summed in f32 and rounded once. Never allocates once warm. NaN and
/// infinity propagate; k = 0 is a sum of nothing. The error of an element is at most (k + 2)
/// eps(sum type) times the sum of the absolute values of its terms, plus the rounding of the
/// result; where the CPU multiplies pairs of bf16 (AVX512_BF16), subnormal bf16 elements and sums
/// count as zero. Bits depend on sizes, strides and instruction set (with that extension or
/// without), never on the number of threads.
template <class T>
void gemm(const Gemm<T>& product) noexcept;

/// Rows and columns of a matrix.
struct MatrixPart {
  int64_t row, rows, col, cols;
};

template <class T>
struct PackTiles;
template <class T>
struct PackTarget;

/// Where a function puts a block of B, in the form that the kernels of an instruction set read.
template <class T>
class Panels {
 public:
  /// A block begins at a multiple of as many columns of B, and has room for one.
  static constexpr int64_t kColumns = 16;

  Panels(const MatrixPart& block, const PackTiles<T>& pack, const PackTarget<T>& to)
      : block_(block), pack_(pack), to_(to) {}
  /// The rows and columns of B to be put.
  [[nodiscard]] const MatrixPart& block() const { return block_; }
  /// Puts a part of the block: its element (i, j) is from[i * row + j * col], one of the strides is
  /// 1. It begins and ends at a multiple of kColumns columns of B, or where the block ends.
  void put(const MatrixPart& part, const T* from, int64_t row, int64_t col) const noexcept;
  /// The address of an element, for functions that put elements themselves. Columns lie side by
  /// side from a multiple of kBeside to the next one at least; rows are stride() elements apart.
  [[nodiscard]] T* at(int64_t row, int64_t col) const noexcept;
  [[nodiscard]] int64_t stride() const noexcept;
  static constexpr int64_t kBeside = kColumns * sizeof(float) / sizeof(T) / 2;

 private:
  const MatrixPart block_;
  const PackTiles<T>& pack_;
  const PackTarget<T>& to_;
};

/// Puts all of a block. It is called on any thread, for several blocks at once and for some more
/// than once, to which it gives the same elements; it neither throws nor computes products.
template <class T>
using PanelSource = FunctionRef<void(const Panels<T>& to)>;

/// As gemm(), for T = float; B comes block by block from a function, its address and strides do not
/// count. Blocks cover B once for every 1024 rows of A, or more often where there are too few
/// columns for the threads. Bits are those of gemm() with B by rows (b_col = 1), if m, n > 1.
template <class T>
void gemm(const Gemm<T>& product, PanelSource<T> b) noexcept;

/// Computes `count` products that differ in their pointers only: `place(i, product)` sets a, b and
/// c of product i in a copy of `first`. The results must not overlap; `place` is called on any
/// thread and does not throw. Bits are those of gemm() on each product.
template <class T>
void gemm_batched(const Gemm<T>& first, int64_t count,
                  FunctionRef<void(int64_t index, Gemm<T>& product)> place) noexcept;

template <>
void gemm(const Gemm<int64_t>& product) noexcept;
template <>
void gemm_batched(const Gemm<int64_t>& first, int64_t count,
                  FunctionRef<void(int64_t, Gemm<int64_t>&)> place) noexcept;

}  // namespace gyre
