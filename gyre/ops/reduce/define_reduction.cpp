#include "gyre/ops/reduce/define_reduction.h"

#include "gyre/ops/shape/shape.h"

namespace gyre {

Tensor with_axes(const Tensor& y, const ReduceAttrs& attrs, const Shape& shape, const OpDef& op) {
  if (attrs.keepdim) return y;
  ReduceAttrs keep = attrs;
  keep.keepdim = true;
  return reshape(y, reduced_shape(op, keep, shape));
}

void gathering_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  reduction_infer(op, attrs, in, out);
  out[0].dtype = sum_dtype(out[0].dtype);
}

void reduction_samples(Samples& s, double low, double high) {
  auto x = [&](const Shape& shape) { return s.uniform(shape, low, high); };
  s.add({x({3, 5})});
  s.add({x({2, 3, 4})}, box(ReduceAttrs{{1}, false}));
  s.add({x({4, 3, 2})}, box(ReduceAttrs{{0, -1}, true}));
  s.add({x({7, 40})}, box(ReduceAttrs{{1}, true}));
  s.add({x({40, 9})}, box(ReduceAttrs{{0}, false}));
  s.add({x({})});
  s.refuse(Code::index, {x({2, 3})}, box(ReduceAttrs{{2}, false}));
  s.refuse(Code::value, {x({2, 3})}, box(ReduceAttrs{{1, -1}, false}));
}

void folded_samples(Samples& s) {
  reduction_samples(s);
  s.add({s.uniform({0, 3})}, box(ReduceAttrs{{0}, false}));
}

JoinedAxes::JoinedAxes(const OpDef& op, const Shape& axes, const Shape& shape) {
  Shape reduced = normalize_axes(axes, shape.rank, op.name), last, joined;
  for (int i = 0; i < shape.rank; ++i) {
    if (axes.rank == 0 || reduced.contains(i)) {
      last.push_back(i);
      joined.push_back(shape[i]);
    } else {
      order_.push_back(i);
      rows_.push_back(shape[i]);
    }
  }
  for (int64_t i : last) order_.push_back(i);
  back_.rank = shape.rank;
  for (int i = 0; i < shape.rank; ++i) {
    moved_.push_back(shape[static_cast<int>(order_[i])]);
    back_[static_cast<int>(order_[i])] = i;
  }
  rows_.push_back(numel(joined));
}

Tensor JoinedAxes::join(const Tensor& x) const { return reshape(permute(x, order_), rows_); }

Tensor JoinedAxes::split(const Tensor& rows) const { return permute(reshape(rows, moved_), back_); }

}  // namespace gyre
