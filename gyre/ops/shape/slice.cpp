// slice, select and slice_embed.
#include "gyre/kernel/copy.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/op/op_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/batch_rules.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

void check_has_axes(const OpDef& op, const Tensor& x) {
  if (x.rank() == 0) refuse(Code::shape, op, "a 0-d tensor cannot be sliced", "[..., n]", "[]");
}

void check_step(const OpDef& op, int64_t step) {
  if (step < 1) throw mismatch(Code::value, op.name, "step must be 1 or more", ">= 1", step);
}

struct Stretch {
  int axis;
  int64_t start, count;
};

int64_t count_of(int64_t start, int64_t stop, int64_t step) {
  return stop > start ? (stop - start - 1) / step + 1 : 0;
}

Stretch stretch_of(const OpDef& op, const SliceAttrs& a, const Shape& shape) {
  int axis = normalize_axis(a.axis, shape.rank, op.name);
  int64_t size = shape[axis];
  auto bound = [size](int64_t i) {
    if (i < 0) i += size;
    return i < 0 ? 0 : i > size ? size : i;
  };
  int64_t start = bound(a.start);
  return {axis, start, count_of(start, bound(a.stop), a.step)};
}

bool slice_view(const OpDef& op, const void* attrs, const Tensor& x, Layout& out) {
  const auto& a = attrs_as<SliceAttrs>(attrs);
  check_has_axes(op, x);
  check_step(op, a.step);
  Stretch s = stretch_of(op, a, x.shape());
  out.shape = x.shape();
  out.strides = x.strides();
  out.shape[s.axis] = s.count;
  if (s.count > 1) out.strides[s.axis] *= a.step;  // else a huge step would overflow
  if (s.count > 0) out.offset += s.start * x.strides()[s.axis];
  return true;
}

Tensors slice_back(const VjpArgs& a) {
  const auto& given = attrs_as<SliceAttrs>(a.attrs);
  const Shape& shape = a.in_meta[0].shape;
  Stretch s = stretch_of(a.op, given, shape);
  return {slice_embed(a.grad[0], {s.axis, s.start, given.step, shape[s.axis]})};
}

void slice_samples(Samples& s) {
  s.add({s.uniform({5, 3})}, box(SliceAttrs{0, 1, 4, 1}));
  s.add({s.uniform({3, 7})}, box(SliceAttrs{-1, -6, INT64_MAX, 2}));
  s.add({s.uniform({2, 3, 4})}, box(SliceAttrs{1, -2, -1, 1}));
  s.add({s.uniform({4})}, box(SliceAttrs{0, 3, 1, 1}));
  s.add({s.uniform({4})}, box(SliceAttrs{0, -100, 100, INT64_MAX}));
  s.refuse(Code::value, {s.uniform({4})}, box(SliceAttrs{0, 0, 4, 0}));
  s.refuse(Code::value, {s.uniform({4})}, box(SliceAttrs{0, 4, 0, -1}));
  s.refuse(Code::index, {s.uniform({4})}, box(SliceAttrs{1, 0, 4, 1}));
  s.refuse(Code::shape, {s.uniform({})});
}

// ---- select ----

struct Place {
  int axis;
  int64_t index;
};

Place place_of(const OpDef& op, const SelectAttrs& a, const Shape& shape) {
  int axis = normalize_axis(a.axis, shape.rank, op.name);
  int64_t size = shape[axis];
  if (a.index < -size || a.index >= size) {
    refuse(Code::index, op, {"index ", a.index, " is out of range for axis ", axis, " of ", shape},
           {-size, "..", size - 1}, a.index);
  }
  return {axis, a.index < 0 ? a.index + size : a.index};
}

bool select_view(const OpDef& op, const void* attrs, const Tensor& x, Layout& out) {
  check_has_axes(op, x);
  Place p = place_of(op, attrs_as<SelectAttrs>(attrs), x.shape());
  for (int i = 0; i < x.rank(); ++i) {
    if (i == p.axis) continue;
    out.shape.push_back(x.shape()[i]);
    out.strides.push_back(x.strides()[i]);
  }
  out.offset += p.index * x.strides()[p.axis];
  return true;
}

Tensors select_back(const VjpArgs& a) {
  const Shape& shape = a.in_meta[0].shape;
  Place p = place_of(a.op, attrs_as<SelectAttrs>(a.attrs), shape);
  return {slice_embed(unsqueeze(a.grad[0], p.axis), {p.axis, p.index, 1, shape[p.axis]})};
}

void select_samples(Samples& s) {
  s.add({s.uniform({5, 3})}, box(SelectAttrs{0, 1}));
  s.add({s.uniform({2, 3, 4})}, box(SelectAttrs{-2, -1}));
  s.add({s.uniform({4})}, box(SelectAttrs{0, 3}));
  s.refuse(Code::index, {s.uniform({4})}, box(SelectAttrs{0, 4}));
  s.refuse(Code::index, {s.uniform({4})}, box(SelectAttrs{0, -5}));
  s.refuse(Code::index, {s.uniform({4})}, box(SelectAttrs{1, 0}));
  s.refuse(Code::shape, {s.uniform({})});
}

// ---- slice_embed ----

void slice_embed_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  const auto& a = attrs_as<SliceEmbedAttrs>(attrs);
  const Tensor& x = in[0];
  check_has_axes(op, x);
  check_step(op, a.step);
  int axis = normalize_axis(a.axis, x.rank(), op.name);
  if (a.start < 0 || a.size < 0) {
    refuse(Code::value, op, "start and size must not be negative", ">= 0",
           std::to_string(a.start < 0 ? a.start : a.size));
  }
  if (x.shape()[axis] > count_of(a.start, a.size, a.step)) {
    refuse(Code::shape, op,
           {"axis ", axis, " of ", x.shape(), " is longer than the slice [start::step] of size ",
            a.size},
           count_of(a.start, a.size, a.step), x.shape()[axis]);
  }
  out[0].shape = x.shape();
  out[0].shape[axis] = a.size;
  out[0].dtype = x.dtype();
}

Status embed_kernel(const OpDef&, const KernelArgs& args) noexcept {
  const auto& a = attrs_as<SliceEmbedAttrs>(args.attrs);
  const View &x = args.in[0], &y = args.out[0];
  int rank = y.shape.rank, axis = static_cast<int>(a.axis < 0 ? a.axis + rank : a.axis);
  int64_t n = x.shape[axis], after = a.start + n;
  Status s;
  if (a.step == 1) {
    s = zero_elements(slice_of(y, axis, 0, 1, a.start < a.size ? a.start : a.size));
    if (after < a.size && !s.failed) s = zero_elements(slice_of(y, axis, after, 1, a.size - after));
  } else {
    s = zero_elements(y);
  }
  if (n == 0 || s.failed) return s;
  return copy_elements(x, slice_of(y, axis, a.start, n > 1 ? a.step : 1, n));
}

Tensors embed_back(const VjpArgs& a) {
  const auto& e = attrs_as<SliceEmbedAttrs>(a.attrs);
  int64_t n = a.in_meta[0].shape[normalize_axis(e.axis, a.in_meta[0].shape.rank, a.op.name)];
  int64_t stop = n ? e.start + (n - 1) * e.step + 1 : e.start;
  return {slice(a.grad[0], {e.axis, e.start, stop, e.step})};
}

void slice_embed_samples(Samples& s) {
  s.add({s.uniform({3, 2})}, box(SliceEmbedAttrs{0, 1, 1, 5}));
  s.add({s.uniform({2, 3})}, box(SliceEmbedAttrs{-1, 1, 2, 7}));
  s.add({s.uniform({4})}, box(SliceEmbedAttrs{0, 0, 1, 4}));
  s.add({s.uniform({2, 0})}, box(SliceEmbedAttrs{1, 9, 1, 3}));
  s.refuse(Code::shape, {s.uniform({3})}, box(SliceEmbedAttrs{0, 1, 1, 3}));
  s.refuse(Code::shape, {s.uniform({})}, box(SliceEmbedAttrs{0, 0, 1, 3}));
  s.refuse(Code::value, {s.uniform({3})}, box(SliceEmbedAttrs{0, -1, 1, 5}));
  s.refuse(Code::value, {s.uniform({3})}, box(SliceEmbedAttrs{0, 0, 0, 5}));
  s.refuse(Code::index, {s.uniform({3})}, box(SliceEmbedAttrs{1, 0, 1, 5}));
}

}  // namespace

extern constinit const OpDef slice_def{.name = "slice",
                                       .doc = "x[start:stop:step] along an axis",
                                       .attrs = &record_of<SliceAttrs>,
                                       .view = slice_view,
                                       .vjp = slice_back,
                                       .batch = batch_along_axes,
                                       .samples = slice_samples};
GYRE_FUNCTION_1(slice, SliceAttrs)

extern constinit const OpDef select_def{.name = "select",
                                        .doc = "slice at one index of an axis; removes that axis",
                                        .attrs = &record_of<SelectAttrs>,
                                        .view = select_view,
                                        .vjp = select_back,
                                        .batch = batch_along_axes,
                                        .samples = select_samples};
GYRE_FUNCTION_1(select, SelectAttrs)

extern constinit const OpDef slice_embed_def{
    .name = "slice_embed",
    .doc = "zeros with x at [start::step] of an axis, the transpose of slice",
    .attrs = &record_of<SliceEmbedAttrs>,
    .infer = slice_embed_infer,
    .kernels = on_every_device(embed_kernel),
    .vjp = embed_back,
    .batch = batch_along_axes,
    .samples = slice_embed_samples};
GYRE_FUNCTION_1(slice_embed, SliceEmbedAttrs)

}  // namespace gyre
