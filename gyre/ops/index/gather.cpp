// gather, index_select and embedding.
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/op/op_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/batch_rules.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/index/plans.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

constexpr Arg kEmbeddingArgs[] = {{"weight"}, {.name = "index", .differentiable = false}};

Tensor zeros_as(const Meta& m) { return constant(m.shape, 0, {m.dtype, m.device}); }

Status run_lookup(const LookupPlan& p) noexcept {
  if (Status s = check_indices(p.index); s.failed) return s;
  look_up(p.lookup);
  return {};
}

// ---- gather ----

void gather_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  const Shape &x = in[0].shape(), &index = in[1].shape();
  check_index_dtype(op, in[1]);
  int axis = normalize_axis(attrs_as<AlongAttrs>(attrs).axis, x.rank, op.name);
  bool fits = x.rank == index.rank;
  for (int i = 0; fits && i < x.rank; ++i) fits = i == axis || index[i] <= x[i];
  if (!fits) {
    refuse(Code::shape, op,
           {"index must have the rank of x and fit into x except along axis; got index ", index,
            " and x ", x},
           x, index);
  }
  out[0].shape = index;
  out[0].dtype = in[0].dtype();
}

Status gather_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const View &x = args.in[0], &index = args.in[1], &out = args.out[0];
  int axis = axis_of(args.attrs, x.shape);
  bool has_axes = x.shape.rank > 0;
  View base = x;
  base.shape = out.shape;
  if (has_axes) base.strides[axis] = 0;
  const LookupPlan plan{{index, has_axes ? x.shape[axis] : 1},
                        {base, has_axes ? x.strides[axis] : 0, index, out}};
  return launch<run_lookup>(op, args, plan);
}

Tensors gather_back(const VjpArgs& a) {
  int64_t axis = attrs_as<AlongAttrs>(a.attrs).axis;
  return {scatter_add(zeros_as(a.in_meta[0]), axis, a.in[1], a.grad[0]), {}};
}

void gather_samples(Samples& s) {
  s.add({s.uniform({3, 4}), s.integers({3, 2}, 0, 4)}, box(AlongAttrs{1}));
  s.add({s.uniform({3, 4, 2}), s.integers({5, 3, 2}, 0, 3)});
  s.add({s.uniform({4}), s.indices({3, 3, 0})}, box(AlongAttrs{-1}));
  s.add({s.uniform({}), s.integers({}, 0, 1)});
  s.add({s.uniform({3, 4}), s.integers({3, 0}, 0, 1)}, box(AlongAttrs{1}));
  s.refuse(Code::index, {s.uniform({4}), s.indices({0, 4})});
  s.refuse(Code::index, {s.uniform({4}), s.indices({-1})});
  s.refuse(Code::index, {s.uniform({4}), s.indices({0})}, box(AlongAttrs{1}));
  s.refuse(Code::dtype, {s.uniform({4}), s.uniform({2})});
  s.refuse(Code::shape, {s.uniform({3, 4}), s.indices({0})});
  s.refuse(Code::shape, {s.uniform({3, 4}), s.integers({3, 5}, 0, 3)});
}

// ---- index_select ----

void index_select_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  check_index_dtype(op, in[1]);
  const Shape& x = in[0].shape();
  if (x.rank == 0 || in[1].rank() != 1) {
    refuse(Code::shape, op,
           {"expected x with at least one axis and a 1-D index, got x ", x, " and index ",
            in[1].shape()},
           "[n]", in[1].shape());
  }
  out[0].shape = x;
  out[0].shape[normalize_axis(attrs_as<AlongAttrs>(attrs).axis, x.rank, op.name)] =
      in[1].shape()[0];
  out[0].dtype = in[0].dtype();
}

Status index_select_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const View &x = args.in[0], &out = args.out[0];
  int axis = axis_of(args.attrs, x.shape);
  View base = x, index = args.in[1];
  base.shape = index.shape = out.shape;
  base.strides[axis] = 0;
  int64_t stride = index.strides[0];
  index.strides = Shape();
  for (int i = 0; i < out.shape.rank; ++i) index.strides.push_back(i == axis ? stride : 0);
  const LookupPlan plan{{args.in[1], x.shape[axis]}, {base, x.strides[axis], index, out}};
  return launch<run_lookup>(op, args, plan);
}

Tensors index_select_back(const VjpArgs& a) {
  int64_t axis = attrs_as<AlongAttrs>(a.attrs).axis;
  return {index_add(zeros_as(a.in_meta[0]), axis, a.in[1], a.grad[0]), {}};
}

void index_select_samples(Samples& s) {
  s.add({s.uniform({3, 4}), s.indices({2, 0, 2})});
  s.add({s.uniform({3, 4}), s.indices({3})}, box(AlongAttrs{-1}));
  s.add({s.uniform({2, 3, 4}), s.indices({1, 1, 0, 2})}, box(AlongAttrs{1}));
  s.add({s.uniform({2, 3}), s.integers({0}, 0, 1)});
  s.refuse(Code::index, {s.uniform({3, 4}), s.indices({3})});
  s.refuse(Code::index, {s.uniform({3, 4}), s.indices({-1})});
  s.refuse(Code::index, {s.uniform({3, 4}), s.indices({0})}, box(AlongAttrs{2}));
  s.refuse(Code::shape, {s.uniform({3, 4}), s.integers({2, 2}, 0, 3)});
  s.refuse(Code::shape, {s.uniform({}), s.indices({0})});
  s.refuse(Code::dtype, {s.uniform({3}), s.uniform({1})});
}

// ---- embedding ----

void embedding_infer(const OpDef& op, const void*, Inputs in, std::span<Meta> out) {
  check_index_dtype(op, in[1]);
  const Shape& weight = in[0].shape();
  if (weight.rank == 0) refuse(Code::shape, op, "weight must not be 0-d", "[rows, ...]", "[]");
  out[0].shape = concat(in[1].shape(), weight.part(1, weight.rank));
  out[0].dtype = in[0].dtype();
}

Status embedding_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const View &weight = args.in[0], &out = args.out[0];
  View base = weight, index = args.in[1];
  base.shape = index.shape = out.shape;
  base.strides = Shape();
  int chosen = args.in[1].shape.rank;
  for (int i = 0; i < chosen; ++i) base.strides.push_back(0);
  for (int i = 1; i < weight.shape.rank; ++i) {
    base.strides.push_back(weight.strides[i]);
    index.strides.push_back(0);
  }
  const LookupPlan plan{{args.in[1], weight.shape[0]}, {base, weight.strides[0], index, out}};
  return launch<run_lookup>(op, args, plan);
}

Tensors embedding_back(const VjpArgs& a) {
  const Meta& weight = a.in_meta[0];
  Shape rows = weight.shape;
  rows[0] = a.in[1].numel();
  return {index_add(zeros_as(weight), 0, reshape(a.in[1], {rows[0]}), reshape(a.grad[0], rows)),
          {}};
}

Tensors embedding_batch(const BatchedCall& call) {
  if (call.batched[0]) return {};
  return {embedding(call.in[0], call.in[1])};
}

void embedding_samples(Samples& s) {
  s.add({s.uniform({5, 3}), s.integers({2, 4}, 0, 5)});
  s.add({s.uniform({5, 3}), s.indices({4, 4, 0})});
  s.add({s.uniform({4, 2, 3}), s.integers({}, 0, 4)});
  s.add({s.uniform({4}), s.integers({3, 0}, 0, 4)});
  s.refuse(Code::index, {s.uniform({5, 3}), s.indices({1, 5})});
  s.refuse(Code::index, {s.uniform({5, 3}), s.indices({-1})});
  s.refuse(Code::dtype, {s.uniform({5, 3}), s.mask({2})});
  s.refuse(Code::shape, {s.uniform({}), s.indices({0})});
}

}  // namespace

extern constinit const OpDef gather_def{
    .name = "gather",
    .doc = "gather values along an axis: one element of x per element of index",
    .args = kReadArgs,
    .attrs = &record_of<AlongAttrs>,
    .infer = gather_infer,
    .kernels = on_every_device(gather_kernel),
    .vjp = gather_back,
    .saves_in = kSavesIndex,
    .batch = batch_along_axes,
    .samples = gather_samples};
Tensor gather(const Tensor& x, int64_t axis, const Tensor& index) {
  return apply_one(gather_def, {x, index}, box(AlongAttrs{axis}));
}

extern constinit const OpDef index_select_def{
    .name = "index_select",
    .doc = "slices of x along an axis selected by a 1-D index",
    .args = kReadArgs,
    .attrs = &record_of<AlongAttrs>,
    .infer = index_select_infer,
    .kernels = on_every_device(index_select_kernel),
    .vjp = index_select_back,
    .saves_in = kSavesIndex,
    .batch = batch_along_axes_of_values,
    .samples = index_select_samples};
Tensor index_select(const Tensor& x, int64_t axis, const Tensor& index) {
  return apply_one(index_select_def, {x, index}, box(AlongAttrs{axis}));
}

extern constinit const OpDef embedding_def{
    .name = "embedding",
    .doc = "embedding lookup: rows of weight [rows, ...] at an index of any shape: [index..., ...]",
    .args = kEmbeddingArgs,
    .infer = embedding_infer,
    .kernels = on_every_device(embedding_kernel),
    .vjp = embedding_back,
    .saves_in = kSavesIndex,
    .batch = embedding_batch,
    .samples = embedding_samples};
Tensor embedding(const Tensor& weight, const Tensor& index) {
  return apply_one(embedding_def, {weight, index});
}

}  // namespace gyre
