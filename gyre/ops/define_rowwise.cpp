#include "gyre/ops/define_rowwise.h"

namespace gyre {
namespace {

Tensor given(const RowSpec& spec, Inputs in, size_t i) {
  if (in[i].defined()) return in[i];
  return constant({}, spec.absent_ones >> i & 1 ? 1 : 0, {in[0].dtype(), in[0].device()});
}

// 0, 1, ... along the axis.
Tensor row_positions(const Shape& space, int axis, const Tensor& like) {
  Shape s;
  for (int i = 0; i < space.rank; ++i) s.push_back(i == axis ? space[i] : 1);
  DType d = is_floating(like.dtype()) ? like.dtype() : DType::f32;
  return reshape(to(positions(numel(s), like.device()), d), s);
}

}  // namespace

Tensor positions(int64_t n, Device device) {
  return arange(0, static_cast<double>(n), 1, {DType::f64, device});
}

RowOperands::RowOperands(const RowSpec& spec, int64_t given_axis, Inputs in,
                         Tensor (*anchor)(const Tensors&))
    : space(in[0].shape()) {
  const size_t row_count = spec.rows;
  for (size_t i = 1; i < row_count; ++i) {
    if (in[i].defined()) space = broadcast(space, in[i].shape(), "row op");
  }
  axis = normalize_axis(given_axis, space.rank, "row op");
  for (size_t i = 0; i < row_count; ++i) rows.push_back(expand(given(spec, in, i), space));
  if (spec.indexed) rows.push_back(row_positions(space, axis, rows[0]));
  if (spec.exact) {
    given_dtype = rows[0].dtype();
    for (const Tensor& t : rows) given_dtype = promote(given_dtype, t.dtype());
    if (!is_floating(given_dtype)) given_dtype = DType::f32;
    for (Tensor& t : rows) t = to(t, DType::f64);
  }
  if (anchor) {
    Tensors still;
    for (const Tensor& t : rows) still.push_back(t.detach());
    numbers.push_back(max(anchor(still), {{axis}, true}));
  }
  const Shape outer = space.without(axis);
  for (size_t i = row_count; i < in.size(); ++i) {
    Tensor number = given(spec, in, i);
    if (spec.exact) number = to(number, DType::f64);
    numbers.push_back(space.rank ? unsqueeze(expand(number, outer), axis) : number);
  }
}

Tensor RowOperands::number_result(const Tensor& t, bool keepdim) const {
  return keepdim || space.rank == 0 ? t : squeeze(t, {axis});
}

}  // namespace gyre
