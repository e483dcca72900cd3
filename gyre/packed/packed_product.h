#pragma once
#include "gyre/base/function_ref.h"
#include "gyre/packed/packed_layout.h"

// What the kernels of packed ops compute, on addresses. Products of many rows are those of gemm(),
// for which words are decoded block by block, never the whole matrix; the same bits on any number
// of threads. std::bad_alloc when out of memory.

namespace gyre {

/// The kernels of the instruction set in use.
const PackedTiles& packed_tiles();

/// The weights [rows, cols].
void decode_matrix(const PackedMatrix& w, float* to);
/// Row index(i) of the matrix to row i of `to` [count, cols].
void decode_rows(const PackedMatrix& w, int64_t count, FunctionRef<int64_t(int64_t)> index,
                 float* to);
/// y [n, rows] = x w^T for x [n, cols].
void multiply_transposed(const PackedMatrix& w, const float* x, int64_t n, float* y);
/// y [n, cols] = x w for x [n, rows].
void multiply(const PackedMatrix& w, const float* x, int64_t n, float* y);
/// The same in f64, of the weights that decode_matrix() gives: they are decoded in blocks of rows.
void multiply_transposed(const PackedMatrix& w, const double* x, int64_t n, double* y);
void multiply(const PackedMatrix& w, const double* x, int64_t n, double* y);

}  // namespace gyre
