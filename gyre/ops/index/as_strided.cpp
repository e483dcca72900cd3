// as_strided and as_strided_scatter. In-place ops on views give their base the history of the
// second, and the views the history of the first (ops/in_place.h).
#include "gyre/kernel/copy.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/op/op_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/batch_rules.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

const StridesAttrs& strides_of(const void* attrs) { return attrs_as<StridesAttrs>(attrs); }

// Error{value} unless all elements are inside of x.
void check_reach(const OpDef& op, const StridesAttrs& a, const Shape& x) {
  if (a.shape.rank != a.strides.rank) {
    refuse(Code::value, op, {"shape ", a.shape, " and strides ", a.strides, " differ in length"},
           a.shape.rank, a.strides.rank);
  }
  check_shape(a.shape, 1, op.name);
  int64_t last = a.offset;
  bool fits = a.offset >= 0;
  for (int i = 0; i < a.shape.rank; ++i) {
    int64_t reach;
    fits = fits && a.strides[i] >= 0 &&
           !__builtin_mul_overflow(a.strides[i], a.shape[i] - 1, &reach) &&
           !__builtin_add_overflow(last, reach, &last);
  }
  if (numel(a.shape) == 0 || (fits && last < numel(x))) return;
  refuse(Code::value, op,
         {"shape ", a.shape, ", strides ", a.strides, " and offset ", a.offset,
          " lead outside of the ", numel(x), " elements of x"},
         {}, x);
}

Tensor zeros_of(const Meta& m) { return constant(m.shape, 0, {m.dtype, m.device}); }

// ---- as_strided ----

bool as_strided_view(const OpDef& op, const void* attrs, const Tensor& x, Layout& out) {
  const StridesAttrs& a = strides_of(attrs);
  check_reach(op, a, x.shape());
  out.shape = a.shape;
  out.strides = a.strides;
  out.offset += numel(a.shape) ? a.offset : 0;
  return x.is_contiguous();
}

Tensors as_strided_copy(const OpDef&, const void* attrs, Inputs in) {
  return {as_strided(clone(in[0]), strides_of(attrs))};
}

Tensors as_strided_back(const VjpArgs& a) {
  const StridesAttrs& s = strides_of(a.attrs);
  const Meta& x = a.in_meta[0];
  const Tensor& g = a.grad[0];
  if (is_one_to_one(s.shape, s.strides)) return {as_strided_scatter(zeros_of(x), g, s)};
  const int64_t n = numel(x.shape), count = g.numel();
  Tensor number = arange(0, static_cast<double>(n), 1, {DType::i64, x.device});
  Tensor places = reshape(as_strided(number, s), {count});
  Tensor sums = index_add(zeros_of({{n}, g.dtype(), x.device}), 0, places, reshape(g, {count}));
  return {reshape(sums, x.shape)};
}

// The attributes of a batch of contiguous tensors of `elements` each.
StridesAttrs with_batch_axis(const StridesAttrs& a, int64_t batch, int64_t elements) {
  return {concat({batch}, a.shape), concat({elements}, a.strides), a.offset};
}

Tensors as_strided_batch(const BatchedCall& call) {
  Tensor x = with_batch(call, 0);
  const int64_t batch = x.size(0);
  if (batch == 0) return {};
  return {as_strided(x, with_batch_axis(strides_of(call.attrs->value), batch, x.numel() / batch))};
}

void as_strided_samples(Samples& s) {
  s.add({s.uniform({12})}, box(StridesAttrs{{3, 2}, {4, 1}, 1}));
  s.add({s.uniform({3, 4})}, box(StridesAttrs{{4, 3}, {1, 4}}));
  s.add({s.uniform({7})}, box(StridesAttrs{{5, 3}, {1, 1}}));
  s.add({s.uniform({3, 2})}, box(StridesAttrs{{2, 4}, {2, 0}, 1}));
  s.add({s.uniform({5})}, box(StridesAttrs{{}, {}, 4}));
  s.add({s.uniform({5})}, box(StridesAttrs{{0, 3}, {9, 9}, 9}));
  s.refuse(Code::value, {s.uniform({5})}, box(StridesAttrs{{3}, {2}, 1}));
  s.refuse(Code::value, {s.uniform({5})}, box(StridesAttrs{{3}, {-1}, 2}));
  s.refuse(Code::value, {s.uniform({5})}, box(StridesAttrs{{3}, {1}, -1}));
  s.refuse(Code::value, {s.uniform({5})}, box(StridesAttrs{{3, 1}, {1}}));
  s.refuse(Code::value, {s.uniform({5})}, box(StridesAttrs{{3}, {INT64_MAX}}));
  s.refuse(Code::value, {s.uniform({5})}, box(StridesAttrs{{-3}, {1}}));
}

// ---- as_strided_scatter ----

constexpr Arg kScatterArgs[] = {{"x"}, {"src"}};

void as_strided_scatter_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  const StridesAttrs& a = strides_of(attrs);
  const Tensor &x = in[0], &src = in[1];
  check_reach(op, a, x.shape());
  if (!is_one_to_one(a.shape, a.strides)) {
    refuse(Code::value, op,
           {"shape ", a.shape, " and strides ", a.strides, " write elements more than once"});
  }
  if (!(src.shape() == a.shape)) {
    refuse(Code::shape, op, {"src has shape ", src.shape()}, a.shape, src.shape());
  }
  if (x.dtype() != src.dtype()) {
    throw mismatch(Code::dtype, op.name, "x and src must have the same dtype", x.dtype(),
                   src.dtype());
  }
  out[0].shape = x.shape();
  out[0].dtype = x.dtype();
}

Status as_strided_scatter_kernel(const OpDef&, const KernelArgs& args) noexcept {
  const StridesAttrs& a = strides_of(args.attrs);
  View part = args.out[0];
  if (Status s = copy_elements(args.in[0], part); s.failed) return s;
  part.data += a.offset * static_cast<int64_t>(size_of(part.dtype));
  part.shape = a.shape;
  part.strides = a.strides;
  return copy_elements(args.in[1], part);
}

Tensors as_strided_scatter_back(const VjpArgs& a) {
  const StridesAttrs& s = strides_of(a.attrs);
  Tensors r(2);
  if (a.wanted[0]) r[0] = as_strided_scatter(a.grad[0], zeros_of(a.in_meta[1]), s);
  if (a.wanted[1]) r[1] = as_strided(a.grad[0], s);
  return r;
}

Tensors as_strided_scatter_batch(const BatchedCall& call) {
  Tensor x = with_batch(call, 0), src = with_batch(call, 1);
  const int64_t batch = x.size(0);
  if (batch == 0) return {};
  return {as_strided_scatter(
      x, src, with_batch_axis(strides_of(call.attrs->value), batch, x.numel() / batch))};
}

void as_strided_scatter_samples(Samples& s) {
  s.add({s.uniform({12}), s.uniform({3, 2})}, box(StridesAttrs{{3, 2}, {4, 1}, 1}));
  s.add({s.uniform({3, 4}), s.uniform({4, 3})}, box(StridesAttrs{{4, 3}, {1, 4}}));
  s.add({s.uniform({5}), s.uniform({})}, box(StridesAttrs{{}, {}, 4}));
  s.add({s.uniform({5}), s.uniform({0})}, box(StridesAttrs{{0}, {1}}));
  s.refuse(Code::value, {s.uniform({5}), s.uniform({2, 2})}, box(StridesAttrs{{2, 2}, {1, 1}}));
  s.refuse(Code::value, {s.uniform({5}), s.uniform({3})}, box(StridesAttrs{{3}, {2}, 1}));
  s.refuse(Code::shape, {s.uniform({5}), s.uniform({2})}, box(StridesAttrs{{3}, {1}}));
  s.refuse(Code::dtype, {s.uniform({5}), s.indices({1, 2})}, box(StridesAttrs{{2}, {1}}));
}

}  // namespace

extern constinit const OpDef as_strided_def{
    .name = "as_strided",
    .doc = "view of the elements of x, counted in row-major order, at offset + strides * index",
    .attrs = &record_of<StridesAttrs>,
    .view = as_strided_view,
    .compose = as_strided_copy,
    .vjp = as_strided_back,
    .batch = as_strided_batch,
    .samples = as_strided_samples};
GYRE_FUNCTION_1(as_strided, StridesAttrs)

extern constinit const OpDef as_strided_scatter_def{
    .name = "as_strided_scatter",
    .doc = "copy of x with src written at the elements that as_strided selects",
    .args = kScatterArgs,
    .attrs = &record_of<StridesAttrs>,
    .infer = as_strided_scatter_infer,
    .kernels = on_every_device(as_strided_scatter_kernel),
    .vjp = as_strided_scatter_back,
    .batch = as_strided_scatter_batch,
    .samples = as_strided_scatter_samples};
GYRE_FUNCTION_2(as_strided_scatter, StridesAttrs)

}  // namespace gyre
