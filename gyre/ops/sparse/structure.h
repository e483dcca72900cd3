#pragma once
#include "gyre/base/status.h"
#include "gyre/base/thread_pool.h"
#include "gyre/kernel/strided.h"
#include "gyre/op/op_def.h"
#include "gyre/ops/sparse/plans.h"

// The structure of sparse matrices: checks, and copies of operands as plans want them.

namespace gyre {

inline constexpr Arg kCrowIndices{.name = "crow_indices", .differentiable = false};
inline constexpr Arg kColIndices{.name = "col_indices", .differentiable = false};

/// Checks of infer(): Error{shape, dtype} naming the op unless in[0] and in[1] may be the structure
/// of a sparse matrix.
void check_structure(const OpDef& op, Inputs in);

/// The checks of a run: offsets that rise from 0 to the number of elements, columns in range.
Status check_places(const CsrStructure& matrix);

/// Operands as contiguous elements of a dtype: views of their own memory, or of copies in scratch.
class DenseOperands {
 public:
  explicit DenseOperands(std::byte* scratch) : memory_(scratch) {}
  /// The operand, copied if it has to be; after a failure nothing is done any more.
  View take(View v, DType dtype);
  /// CsrStructure of the first two operands.
  CsrStructure structure(const KernelArgs& args, int64_t columns);
  [[nodiscard]] const Status& status() const { return status_; }
  /// The scratch memory behind the copies.
  [[nodiscard]] std::byte* rest() const { return memory_; }

 private:
  std::byte* memory_;
  Status status_;
};
/// The bytes of scratch for the structure.
size_t structure_bytes(Inputs in);

/// The dtype in which elements of a floating dtype are summed.
inline DType wide_dtype(DType dtype) { return dtype_of(compute_of(dtype)); }

/// Calls piece(first row, end, first column, columns) in parallel for parts of a dense result
/// [rows, n] to which `count` elements of a sparse matrix contribute: bands of columns, so that
/// what is read of a dense factor stays in a cache, and rows of about equal work.
void for_bands(int64_t rows, int64_t count, int64_t n, size_t element, auto piece) {
  const int64_t band = 512 / static_cast<int64_t>(element), bands = (n + band - 1) / band;
  const int64_t work = (count / (rows ? rows : 1) + 1) * (n < band ? n : band);
  const int64_t step = kGrain / (work ? work : 1) + 1, parts = (rows + step - 1) / step;
  parallel_for(bands * parts, 1, [&](int64_t begin, int64_t end) {
    for (int64_t unit = begin; unit < end; ++unit) {
      const int64_t row = unit % parts * step, column = unit / parts * band;
      piece(row, row + step < rows ? row + step : rows, column,
            column + band < n ? band : n - column);
    }
  });
}

}  // namespace gyre
