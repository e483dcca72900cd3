// Views that reorder or relabel axes.
#include "gyre/op/apply.h"
#include "gyre/op/op_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/batch_rules.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

// ---- reshape ----

[[noreturn]] void does_not_fit(const OpDef& op, const Shape& from, const Shape& to) {
  refuse(Code::shape, op, {"cannot reshape ", from, " into ", to}, to, from);
}

Shape resolve_sizes(const OpDef& op, const Shape& wanted, const Shape& from) {
  Shape r = wanted;
  const bool empty = r.contains(0);  // then the product of the others may overflow
  int inferred = -1;
  int64_t known = empty ? 0 : 1, n = numel(from);
  for (int i = 0; i < r.rank; ++i) {
    if (r[i] == -1 && inferred < 0) {
      inferred = i;
    } else if (r[i] < 0) {
      refuse(Code::value, op, {"sizes ", wanted, " may contain at most one -1"}, {}, wanted);
    } else if (__builtin_mul_overflow(known, r[i], &known)) {
      does_not_fit(op, from, wanted);
    }
  }
  if (inferred >= 0) {
    if (known == 0 || n % known) does_not_fit(op, from, wanted);
    r[inferred] = n / known;
  } else if (known != n) {
    does_not_fit(op, from, wanted);
  }
  return r;
}

// Strides over the old elements for the new shape, group by group of axes with equal products;
// false when a group is not one stride. Both shapes hold the same number of elements, not zero.
bool strides_for(const Shape& from, const Shape& strides, const Shape& to, Shape& result) {
  Shape sizes, steps;  // without axes of size 1
  for (int i = 0; i < from.rank; ++i) {
    if (from[i] == 1) continue;
    sizes.push_back(from[i]);
    steps.push_back(strides[i]);
  }
  result = contiguous_strides(to);
  int i = 0, j = 0;
  while (i < sizes.rank) {
    int i_end = i + 1, j_end = j + 1;
    int64_t old_product = sizes[i], new_product = to[j];
    while (old_product != new_product) {
      if (old_product < new_product) {
        old_product *= sizes[i_end++];
      } else {
        new_product *= to[j_end++];
      }
    }
    for (int k = i; k + 1 < i_end; ++k) {
      if (steps[k] != steps[k + 1] * sizes[k + 1]) return false;
    }
    int64_t step = steps[i_end - 1];
    for (int k = j_end; k-- > j;) {
      result[k] = step;
      step *= to[k];
    }
    i = i_end;
    j = j_end;
  }
  return true;
}

bool reshape_view(const OpDef& op, const void* attrs, const Tensor& x, Layout& out) {
  out.shape = resolve_sizes(op, attrs_as<ReshapeAttrs>(attrs).shape, x.shape());
  if (x.numel() == 0 || x.is_contiguous()) {
    out.strides = contiguous_strides(out.shape);
    return true;
  }
  return strides_for(x.shape(), x.strides(), out.shape, out.strides);
}

Tensors reshape_copy(const OpDef&, const void* attrs, Inputs in) {
  return {reshape(clone(in[0]), attrs_as<ReshapeAttrs>(attrs).shape)};
}

Tensors reshape_back(const VjpArgs& a) { return {reshape(a.grad[0], a.in_meta[0].shape)}; }

void reshape_samples(Samples& s) {
  s.add({s.uniform({3, 4})}, box(ReshapeAttrs{{2, 6}}));
  s.add({s.uniform({2, 3, 4})}, box(ReshapeAttrs{{-1, 4}}));
  s.add({s.uniform({})}, box(ReshapeAttrs{{1, 1}}));
  s.add({s.uniform({2, 0})}, box(ReshapeAttrs{{0, 7}}));
  s.refuse(Code::shape, {s.uniform({3, 4})}, box(ReshapeAttrs{{5, 2}}));
  s.refuse(Code::shape, {s.uniform({3, 4})}, box(ReshapeAttrs{{5, -1}}));
  s.refuse(Code::shape, {s.uniform({3, 4})},
           box(ReshapeAttrs{{int64_t{1} << 40, int64_t{1} << 40}}));
  s.refuse(Code::value, {s.uniform({3, 4})}, box(ReshapeAttrs{{-1, -1}}));
  s.refuse(Code::shape, {s.uniform({0})}, box(ReshapeAttrs{{0, -1}}));
  s.refuse(Code::value, {s.uniform({4})}, box(ReshapeAttrs{{-1, -1}}));
  s.refuse(Code::value, {s.uniform({4})}, box(ReshapeAttrs{{-2, 2}}));
}

// ---- permute and transpose ----

void take_axis(const Tensor& x, int axis, Layout& out) {
  out.shape.push_back(x.shape()[axis]);
  out.strides.push_back(x.strides()[axis]);
}

bool permute_view(const OpDef& op, const void* attrs, const Tensor& x, Layout& out) {
  const Shape& axes = attrs_as<PermuteAttrs>(attrs).axes;
  if (axes.rank != x.rank()) {
    throw mismatch(Code::value, op.name, {"expected a permutation of ", x.rank(), " axes"},
                   {x.rank(), " axes"}, axes);
  }
  if (x.rank()) normalize_axes(axes, x.rank(), op.name);  // refuses repeated ones
  for (int64_t axis : axes) take_axis(x, normalize_axis(axis, x.rank(), op.name), out);
  return true;
}

Tensors permute_back(const VjpArgs& a) {
  const Shape& axes = attrs_as<PermuteAttrs>(a.attrs).axes;
  Shape inverse = axes;
  for (int i = 0; i < axes.rank; ++i) inverse[normalize_axis(axes[i], axes.rank, a.op.name)] = i;
  return {permute(a.grad[0], inverse)};
}

Tensors permute_batch(const BatchedCall& call) {
  Shape axes{0};
  for (int64_t axis : attrs_as<PermuteAttrs>(call.attrs->value).axes) {
    axes.push_back(normalize_axis(axis, call.rank(0), call.op.name) + 1);
  }
  return {permute(call.in[0], axes)};
}

void permute_samples(Samples& s) {
  s.add({s.uniform({2, 3, 4})}, box(PermuteAttrs{{2, 0, 1}}));
  s.add({s.uniform({2, 3})}, box(PermuteAttrs{{-1, 0}}));
  s.add({s.uniform({})});
  s.add({s.uniform({2, 0, 1, 3})}, box(PermuteAttrs{{3, 1, 0, 2}}));
  s.refuse(Code::value, {s.uniform({2, 3})}, box(PermuteAttrs{{0}}));
  s.refuse(Code::value, {s.uniform({2, 3})}, box(PermuteAttrs{{0, -2}}));
  s.refuse(Code::index, {s.uniform({2, 3})}, box(PermuteAttrs{{0, 2}}));
}

bool transpose_view(const OpDef& op, const void* attrs, const Tensor& x, Layout& out) {
  const auto& a = attrs_as<TransposeAttrs>(attrs);
  int i = normalize_axis(a.axis0, x.rank(), op.name);
  int j = normalize_axis(a.axis1, x.rank(), op.name);
  for (int k = 0; k < x.rank(); ++k) take_axis(x, k == i ? j : k == j ? i : k, out);
  return true;
}

Tensors transpose_back(const VjpArgs& a) {
  const auto& t = attrs_as<TransposeAttrs>(a.attrs);
  return {transpose(a.grad[0], t.axis0, t.axis1)};
}

void transpose_samples(Samples& s) {
  s.add({s.uniform({2, 3})});
  s.add({s.uniform({2, 3, 4})}, box(TransposeAttrs{0, -1}));
  s.add({s.uniform({3})}, box(TransposeAttrs{0, 0}));
  s.add({s.uniform({})}, box(TransposeAttrs{0, -1}));
  s.refuse(Code::index, {s.uniform({2, 3})}, box(TransposeAttrs{0, 2}));
  s.refuse(Code::index, {s.uniform({2, 3})}, box(TransposeAttrs{-3, 0}));
}

// ---- expand ----

bool expand_view(const OpDef& op, const void* attrs, const Tensor& x, Layout& out) {
  const Shape& wanted = attrs_as<ExpandAttrs>(attrs).shape;
  int shift = wanted.rank - x.rank();
  auto refused = [&] {
    refuse(Code::shape, op, {x.shape(), " does not broadcast to ", wanted}, wanted, x.shape());
  };
  if (shift < 0) refused();
  for (int i = 0; i < wanted.rank; ++i) {
    int64_t had = i < shift ? 1 : x.shape()[i - shift];
    int64_t size = wanted[i] == -1 && i >= shift ? had : wanted[i];
    if (size < 0 || (size != had && had != 1)) refused();
    out.shape.push_back(size);
    out.strides.push_back(i < shift || size != had ? 0 : x.strides()[i - shift]);
  }
  return true;
}

// Backward sums it to the shape of x.
Tensors expand_back(const VjpArgs& a) { return {a.grad[0]}; }

Tensors expand_batch(const BatchedCall& call) {
  const Shape& slice = call.out[0].shape;
  return {expand(with_batch(call, 0, slice.rank), concat({call.size}, slice))};
}

void expand_samples(Samples& s) {
  s.add({s.uniform({3, 1})}, box(ExpandAttrs{{3, 4}}));
  s.add({s.uniform({3})}, box(ExpandAttrs{{2, 2, -1}}));
  s.add({s.uniform({})}, box(ExpandAttrs{{2, 3}}));
  s.add({s.uniform({2, 1})}, box(ExpandAttrs{{2, 0}}));
  s.refuse(Code::shape, {s.uniform({3, 2})}, box(ExpandAttrs{{3, 4}}));
  s.refuse(Code::shape, {s.uniform({3, 2})}, box(ExpandAttrs{{2}}));
  s.refuse(Code::shape, {s.uniform({3})}, box(ExpandAttrs{{-1, 3}}));
}

// ---- squeeze and unsqueeze ----

bool squeeze_view(const OpDef& op, const void* attrs, const Tensor& x, Layout& out) {
  const Shape& given = attrs_as<SqueezeAttrs>(attrs).axes;
  Shape axes = normalize_axes(given, x.rank(), op.name);
  for (int i = 0; i < x.rank(); ++i) {
    bool asked = given.rank == 0 || axes.contains(i);
    if (asked && given.rank && x.shape()[i] != 1) {
      refuse(Code::shape, op, {"axis ", i, " of ", x.shape(), " does not have size 1"}, "1",
             x.shape()[i]);
    }
    if (!(asked && x.shape()[i] == 1)) take_axis(x, i, out);
  }
  return true;
}

void squeeze_samples(Samples& s) {
  s.add({s.uniform({2, 1, 3, 1})});
  s.add({s.uniform({2, 1, 3, 1})}, box(SqueezeAttrs{{-1}}));
  s.add({s.uniform({1})}, box(SqueezeAttrs{{0}}));
  s.add({s.uniform({})});
  s.refuse(Code::shape, {s.uniform({2, 1})}, box(SqueezeAttrs{{0}}));
  s.refuse(Code::index, {s.uniform({2, 1})}, box(SqueezeAttrs{{2}}));
  s.refuse(Code::value, {s.uniform({2, 1})}, box(SqueezeAttrs{{1, -1}}));
}

bool unsqueeze_view(const OpDef& op, const void* attrs, const Tensor& x, Layout& out) {
  int axis = normalize_axis(attrs_as<UnsqueezeAttrs>(attrs).axis, x.rank() + 1, op.name);
  for (int i = 0; i <= x.rank(); ++i) {
    if (i == axis) {
      out.shape.push_back(1);
      out.strides.push_back(0);
    }
    if (i < x.rank()) take_axis(x, i, out);
  }
  return true;
}

void unsqueeze_samples(Samples& s) {
  s.add({s.uniform({2, 3})}, box(UnsqueezeAttrs{1}));
  s.add({s.uniform({2, 3})}, box(UnsqueezeAttrs{-1}));
  s.add({s.uniform({})}, box(UnsqueezeAttrs{0}));
  s.refuse(Code::index, {s.uniform({2, 3})}, box(UnsqueezeAttrs{3}));
  s.refuse(Code::shape, {s.uniform({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1})},
           box(UnsqueezeAttrs{0}));
}

}  // namespace

extern constinit const OpDef reshape_def{.name = "reshape",
                                         .doc = "same elements in row-major order, new shape",
                                         .attrs = &record_of<ReshapeAttrs>,
                                         .view = reshape_view,
                                         .compose = reshape_copy,
                                         .vjp = reshape_back,
                                         .batch = batch_reshape,
                                         .samples = reshape_samples};
GYRE_FUNCTION_OF(reshape, ReshapeAttrs, const Shape&)

Tensor flatten(const Tensor& x, int64_t first, int64_t last) {
  int i = normalize_axis(first, x.rank(), "flatten"), j = normalize_axis(last, x.rank(), "flatten");
  if (i > j) {
    throw Error(Code::value, "flatten", "the first axis must not come after the last", {},
                {first, "..", last});
  }
  if (x.rank() == 0) return reshape(x, {1});
  const Shape &s = x.shape(), joined = {numel(s.part(i, j + 1))};
  return reshape(x, concat(concat(s.part(0, i), joined), s.part(j + 1, s.rank)));
}

extern constinit const OpDef permute_def{.name = "permute",
                                         .doc = "permute axes",
                                         .attrs = &record_of<PermuteAttrs>,
                                         .view = permute_view,
                                         .vjp = permute_back,
                                         .batch = permute_batch,
                                         .samples = permute_samples};
GYRE_FUNCTION_OF(permute, PermuteAttrs, const Shape&)

extern constinit const OpDef transpose_def{.name = "transpose",
                                           .doc = "swap two axes",
                                           .attrs = &record_of<TransposeAttrs>,
                                           .view = transpose_view,
                                           .vjp = transpose_back,
                                           .batch = batch_along_axes,
                                           .samples = transpose_samples};
Tensor transpose(const Tensor& x, int64_t axis0, int64_t axis1) {
  return apply_one(transpose_def, Inputs(&x, 1), box(TransposeAttrs{axis0, axis1}));
}

extern constinit const OpDef expand_def{.name = "expand",
                                        .doc = "broadcast to a larger shape, as a view",
                                        .attrs = &record_of<ExpandAttrs>,
                                        .view = expand_view,
                                        .vjp = expand_back,
                                        .batch = expand_batch,
                                        .samples = expand_samples};
GYRE_FUNCTION_OF(expand, ExpandAttrs, const Shape&)

extern constinit const OpDef squeeze_def{.name = "squeeze",
                                         .doc = "remove axes of size 1",
                                         .attrs = &record_of<SqueezeAttrs>,
                                         .view = squeeze_view,
                                         .vjp = reshape_back,
                                         .batch = batch_reshape,
                                         .samples = squeeze_samples};
GYRE_FUNCTION_OF(squeeze, SqueezeAttrs, const Shape&)

extern constinit const OpDef unsqueeze_def{.name = "unsqueeze",
                                           .doc = "insert an axis of size 1",
                                           .attrs = &record_of<UnsqueezeAttrs>,
                                           .view = unsqueeze_view,
                                           .vjp = reshape_back,
                                           .batch = batch_reshape,
                                           .samples = unsqueeze_samples};
GYRE_FUNCTION_OF(unsqueeze, UnsqueezeAttrs, int64_t)

}  // namespace gyre
