#include "gyre/ops/sparse/structure.h"

#include "gyre/kernel/copy.h"
#include "gyre/ops/index/indices.h"

namespace gyre {

void check_structure(const OpDef& op, Inputs in) {
  check_index_dtype(op, in[0]);
  check_index_dtype(op, in[1]);
  const Shape &offsets = in[0].shape(), &places = in[1].shape();
  if (offsets.rank != 1 || places.rank != 1 || offsets[0] == 0) {
    refuse(
        Code::shape, op,
        {"expected crow_indices [rows + 1] and col_indices [nnz], got ", offsets, " and ", places},
        "[rows + 1] and [nnz]", {offsets, " and ", places});
  }
}

Status check_places(const CsrStructure& matrix) {
  const int64_t *offsets = matrix.offsets, rows = matrix.rows;
  for (int64_t r = 0; r <= rows; ++r) {
    const bool rises = r == 0 ? offsets[0] == 0 : offsets[r - 1] <= offsets[r];
    if (!rises || (r == rows && offsets[r] != matrix.count)) {
      return {true, Code::value, r, offsets[r],
              "crow_indices must rise from 0 to the number of elements, but do not"};
    }
  }
  auto* places = reinterpret_cast<std::byte*>(const_cast<int64_t*>(matrix.places));
  return check_indices({places, {matrix.count}, {1}, DType::i64}, matrix.columns, 0);
}

View DenseOperands::take(View v, DType dtype) {
  if (!status_.failed) status_ = make_dense(v, dtype, memory_);
  return v;
}

CsrStructure DenseOperands::structure(const KernelArgs& args, int64_t columns) {
  const View offsets = take(args.in[0], DType::i64), places = take(args.in[1], DType::i64);
  return {reinterpret_cast<const int64_t*>(offsets.data),
          reinterpret_cast<const int64_t*>(places.data), offsets.shape[0] - 1, columns,
          places.shape[0]};
}

size_t structure_bytes(Inputs in) {
  return dense_bytes(layout_of(in[0]), DType::i64) + dense_bytes(layout_of(in[1]), DType::i64);
}

}  // namespace gyre
