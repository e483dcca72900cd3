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
