#include "gyre/ops/batch_rules.h"

#include "gyre/kernel/reduction.h"
#include "gyre/op/apply.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

// Axes of slices of that rank, counted from the end: also valid with the batch axis.
Attrs axes_from_end(const BatchedCall& call, int rank) {
  Ref<OpenAttrs> attrs = copy_of(*call.attrs);
  for (const char* name : {"axis", "axis0", "axis1"}) {
    const Field* f = find_field(*attrs->type, name);
    if (!f) continue;
    auto& axis = field_value<int64_t>(attrs->memory, *f);
    axis = normalize_axis(axis, rank, call.op.name) - rank;
  }
  return attrs;
}

int largest_rank(const BatchedCall& call, size_t operands) {
  int rank = 0;
  for (size_t i = 0; i < operands; ++i) {
    if (call.in[i].defined() && call.rank(i) > rank) rank = call.rank(i);
  }
  return rank;
}

}  // namespace

Tensor with_batch(const BatchedCall& call, size_t i, int rank) {
  Tensor x = call.in[i];
  if (!x.defined()) return x;
  if (!call.batched[i]) x = expand(x, concat({call.size}, x.shape()));
  if (x.rank() > rank) return x;
  Shape shape{call.size};
  while (shape.rank + x.rank() - 1 < rank + 1) shape.push_back(1);
  return reshape(x, concat(shape, x.shape().part(1, x.rank())));
}

Tensors batch_pointwise(const BatchedCall& call) {
  int rank = largest_rank(call, call.in.size());
  Tensors in;
  for (size_t i = 0; i < call.in.size(); ++i) {
    in.push_back(call.batched[i] ? with_batch(call, i, rank) : call.in[i]);
  }
  return apply(call.op, in, call.attrs);
}

Tensors batch_leading(const BatchedCall& call) {
  Tensors in;
  for (size_t i = 0; i < call.in.size(); ++i) in.push_back(with_batch(call, i));
  return apply(call.op, in, call.attrs);
}

Tensors batch_reduction(const BatchedCall& call) {
  const auto& given = attrs_as<ReduceAttrs>(call.attrs->value);
  const Tensor& x = call.in[0];
  int rank = call.rank(0);
  if (rank == 0 || given.axes.rank == 0) {
    Tensor flat = reshape(x, {call.size, numel(x.shape().without(0))});
    Tensor y = apply_one(call.op, {flat}, box(ReduceAttrs{{1}, false}));
    return {reshape(y, concat({call.size}, call.out[0].shape))};
  }
  ReduceAttrs attrs = given;
  for (int64_t& axis : attrs.axes) axis = normalize_axis(axis, rank, call.op.name) - rank;
  return apply(call.op, Inputs(&x, 1), box(attrs));
}

Tensors batch_rowwise(const BatchedCall& call) {
  auto rows = static_cast<size_t>(call.op.family.row.rows);
  int rank = largest_rank(call, rows);
  if (rank == 0) return {};
  Tensors in;
  for (size_t i = 0; i < call.in.size(); ++i) {
    in.push_back(with_batch(call, i, i < rows ? rank : rank - 1));
  }
  return apply(call.op, in, axes_from_end(call, rank));
}

Tensors batch_along_axes(const BatchedCall& call) {
  int rank = call.rank(0);
  if (rank == 0) return {};
  Tensors in;
  for (size_t i = 0; i < call.in.size(); ++i) in.push_back(with_batch(call, i));
  return apply(call.op, in, axes_from_end(call, rank));
}

Tensors batch_along_axes_of_values(const BatchedCall& call) {
  int rank = call.rank(0);
  if (rank == 0 || call.batched[1]) return {};
  Tensors in;
  for (size_t i = 0; i < call.in.size(); ++i) {
    in.push_back(i == 1 ? call.in[1] : with_batch(call, i));
  }
  return apply(call.op, in, axes_from_end(call, rank));
}

Tensors batch_reshape(const BatchedCall& call) {
  return {reshape(call.in[0], concat({call.size}, call.out[0].shape))};
}

}  // namespace gyre
