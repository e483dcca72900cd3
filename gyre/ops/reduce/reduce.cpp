#include "gyre/ops/reduce/reduce.h"

#include "gyre/op/apply.h"
#include "gyre/op/samples.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/define_reduction.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {

#define GYRE_OPS "gyre/ops/reduce/reduce.def"
#include "gyre/kernel/declare_ops.def"

namespace {

void mean_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  reduction_infer(op, attrs, in, out);
  if (!is_floating(out[0].dtype)) out[0].dtype = DType::f32;
}

Tensors sum_vjp(const VjpArgs& a) {
  const Shape& shape = a.in_meta[0].shape;
  const auto& attrs = attrs_as<ReduceAttrs>(a.attrs);
  return {expand(with_axes(a.grad[0], attrs, shape, a.op), shape)};
}

Tensors mean_vjp(const VjpArgs& a) {
  const Shape& shape = a.in_meta[0].shape;
  auto count = static_cast<double>(numel(shape)) /
               static_cast<double>(numel(a.grad[0].shape()) ? a.grad[0].numel() : 1);
  const auto& attrs = attrs_as<ReduceAttrs>(a.attrs);
  Tensor g = count > 0 ? a.grad[0] * Tensor(1.0 / count) : a.grad[0];
  return {expand(with_axes(g, attrs, shape, a.op), shape)};
}

Tensors extremum_vjp(const VjpArgs& a) {
  const auto& attrs = attrs_as<ReduceAttrs>(a.attrs);
  const Tensor& x = a.in[0];
  Tensor top = with_axes(a.out[0].detach(), attrs, x.shape(), a.op);
  // NaN != NaN: where the extremum is NaN, the NaN elements get the gradient
  Tensor hit = where(ne(top, top), ne(x.detach(), x.detach()), eq(x.detach(), top));
  // f16 and bf16 cannot represent large counts
  Tensor share = to(hit, x.dtype() == DType::f64 ? DType::f64 : DType::f32);
  Tensor weight = share / sum(share, {attrs.axes, true});
  return {with_axes(a.grad[0], attrs, x.shape(), a.op) * weight};
}

void extremum_samples(Samples& s) {
  reduction_samples(s);
  s.add({s.uniform({3, 0})}, box(ReduceAttrs{{0}, false}));
  s.extreme({s.values({1, 3, 3, 2})});
  s.refuse(Code::value, {s.uniform({0, 3})}, box(ReduceAttrs{{0}, false}));
}

constexpr OpDef define_extremum(const char* name, const char* doc,
                                const PerIsa<ReductionTiles>& tiles) {
  OpDef d = define_reduction(name, doc, tiles);
  d.vjp = extremum_vjp;
  d.saves_in = d.saves_out = 1;
  d.samples = extremum_samples;
  return d;
}

}  // namespace

constinit const OpDef sum_def = [] {
  OpDef d = define_reduction("sum", "sum over axes", GYRE_TILES_OF(sum));
  d.infer = gathering_infer;
  d.vjp = sum_vjp;
  d.samples = folded_samples;
  return d;
}();
constinit const OpDef mean_def = [] {
  OpDef d = define_reduction("mean", "mean over axes", GYRE_TILES_OF(mean));
  d.infer = mean_infer;
  d.vjp = mean_vjp;
  return d;
}();
constinit const OpDef max_def =
    define_extremum("max", "maximum over axes; propagates NaN", GYRE_TILES_OF(max));
constinit const OpDef min_def =
    define_extremum("min", "minimum over axes; propagates NaN", GYRE_TILES_OF(min));

GYRE_FUNCTION_1(sum, ReduceAttrs)
GYRE_FUNCTION_1(mean, ReduceAttrs)
GYRE_FUNCTION_1(max, ReduceAttrs)
GYRE_FUNCTION_1(min, ReduceAttrs)

Tensor sum_to(const Tensor& x, const Shape& shape) {
  if (x.shape() == shape) return x;
  if (!(broadcast(x.shape(), shape, "sum_to") == x.shape())) {
    throw Error(Code::shape, "sum_to", {shape, " does not broadcast to ", x.shape()}, x.shape(),
                shape);
  }
  ReduceAttrs lead, unit;
  int shift = x.rank() - shape.rank;
  for (int i = 0; i < shift; ++i) lead.axes.push_back(i);
  for (int i = 0; i < shape.rank; ++i) {
    if (shape[i] == 1 && x.shape()[i + shift] != 1) unit.axes.push_back(i);
  }
  unit.keepdim = true;
  Tensor y = lead.axes.rank ? sum(x, lead) : x;
  return unit.axes.rank ? sum(y, unit) : y;
}

}  // namespace gyre
