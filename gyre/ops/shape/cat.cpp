// cat and stack.
#include "gyre/kernel/copy.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/op/op_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/batch_rules.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

constexpr Arg kManyArgs[] = {{.name = "xs", .variadic = true}};

void check_not_empty(const OpDef& op, Inputs in) {
  if (in.empty()) refuse(Code::value, op, "expected at least one tensor, got none");
}

bool equal_but_for(int axis, const Shape& a, const Shape& b) {
  if (a.rank != b.rank) return false;
  for (int i = 0; i < a.rank; ++i) {
    if (i != axis && a[i] != b[i]) return false;
  }
  return true;
}

void cat_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  check_not_empty(op, in);
  Meta& m = out[0];
  m.shape = in[0].shape();
  m.dtype = in[0].dtype();
  if (m.shape.rank == 0) refuse(Code::shape, op, "0-d tensors cannot be concatenated; use stack()");
  int axis = normalize_axis(attrs_as<CatAttrs>(attrs).axis, m.shape.rank, op.name);
  for (const Tensor& t : in.subspan(1)) {
    if (!equal_but_for(axis, m.shape, t.shape())) {
      refuse(Code::shape, op,
             {"expected equal shapes except in axis ", axis, ", got ", in[0].shape(), " and ",
              t.shape()},
             in[0].shape(), t.shape());
    }
    m.shape[axis] += t.shape()[axis];
    m.dtype = promote(m.dtype, t.dtype());
  }
}

Status cat_kernel(const OpDef&, const KernelArgs& args) noexcept {
  const View& y = args.out[0];
  int64_t given = attrs_as<CatAttrs>(args.attrs).axis, start = 0;
  int axis = static_cast<int>(given < 0 ? given + y.shape.rank : given);
  for (const View& x : args.in) {
    View part = slice_of(y, axis, start, 1, x.shape[axis]);
    if (Status s = copy_elements(x, part); s.failed) return s;
    start += x.shape[axis];
  }
  return {};
}

Tensors cat_back(const VjpArgs& a) {
  int axis = normalize_axis(attrs_as<CatAttrs>(a.attrs).axis, a.grad[0].rank(), a.op.name);
  Tensors parts(a.in_meta.size());
  int64_t start = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    int64_t stop = start + a.in_meta[i].shape[axis];
    if (a.wanted[i]) parts[i] = slice(a.grad[0], {axis, start, stop, 1});
    start = stop;
  }
  return parts;
}

void cat_samples(Samples& s) {
  s.add({s.uniform({2, 3}), s.uniform({4, 3})});
  s.add({s.uniform({2, 3}), s.uniform({2, 1}), s.uniform({2, 0})}, box(CatAttrs{-1}));
  s.add({s.uniform({2, 2, 2})}, box(CatAttrs{1}));
  s.add({s.uniform({0}), s.uniform({0})});
  s.refuse(Code::value, {});
  s.refuse(Code::value, {s.uniform({2}), Tensor()});
  s.refuse(Code::shape, {s.uniform({2, 3}), s.uniform({2, 2})});
  s.refuse(Code::shape, {s.uniform({2, 3}), s.uniform({2})});
  s.refuse(Code::shape, {s.uniform({}), s.uniform({})});
  s.refuse(Code::index, {s.uniform({2}), s.uniform({2})}, box(CatAttrs{1}));
}

Tensors stack_by_cat(const OpDef& op, const void* attrs, Inputs in) {
  check_not_empty(op, in);
  int64_t axis = normalize_axis(attrs_as<StackAttrs>(attrs).axis, in[0].rank() + 1, op.name);
  Tensors rows;
  for (const Tensor& t : in) {
    if (!(t.shape() == in[0].shape())) {
      refuse(Code::shape, op, {"expected equal shapes, got ", in[0].shape(), " and ", t.shape()},
             in[0].shape(), t.shape());
    }
    rows.push_back(unsqueeze(t, axis));
  }
  return {cat(rows, axis)};
}

void stack_samples(Samples& s) {
  s.add({s.uniform({2, 3}), s.uniform({2, 3})});
  s.add({s.uniform({2, 3}), s.uniform({2, 3}), s.uniform({2, 3})}, box(StackAttrs{-1}));
  s.add({s.uniform({}), s.uniform({})});
  s.refuse(Code::value, {});
  s.refuse(Code::shape, {s.uniform({2}), s.uniform({1})});
  s.refuse(Code::index, {s.uniform({2}), s.uniform({2})}, box(StackAttrs{2}));
}

}  // namespace

extern constinit const OpDef cat_def{.name = "cat",
                                     .doc = "concatenate tensors along an existing axis",
                                     .args = kManyArgs,
                                     .attrs = &record_of<CatAttrs>,
                                     .infer = cat_infer,
                                     .kernels = on_every_device(cat_kernel),
                                     .vjp = cat_back,
                                     .batch = batch_along_axes,
                                     .samples = cat_samples};
Tensor cat(Inputs xs, int64_t axis) { return apply_one(cat_def, xs, box(CatAttrs{axis})); }

extern constinit const OpDef stack_def{.name = "stack",
                                       .doc = "stack tensors of equal shape along a new axis",
                                       .args = kManyArgs,
                                       .attrs = &record_of<StackAttrs>,
                                       .compose = stack_by_cat,
                                       .samples = stack_samples};
Tensor stack(Inputs xs, int64_t axis) { return apply_one(stack_def, xs, box(StackAttrs{axis})); }

}  // namespace gyre
