// unfold and overlap_add.
#include <type_traits>

#include "gyre/kernel/outer_axes.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/op/op_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/batch_rules.h"
#include "gyre/ops/elements.h"
#include "gyre/ops/shape/plans.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

// ---- unfold ----

void check_at_least(const OpDef& op, const char* what, int64_t number, int64_t least) {
  if (number < least) {
    throw mismatch(Code::value, op.name, {what, " must be ", least, " or more"}, {">= ", least},
                   number);
  }
}

bool unfold_view(const OpDef& op, const void* attrs, const Tensor& x, Layout& out) {
  const auto& a = attrs_as<UnfoldAttrs>(attrs);
  int axis = normalize_axis(a.axis, x.rank(), op.name);
  check_at_least(op, "size", a.size, 1);
  check_at_least(op, "step", a.step, 1);
  if (x.rank() == 0 || a.size > x.shape()[axis]) {
    refuse(Code::shape, op, {"size ", a.size, " is larger than axis ", axis, " of ", x.shape()},
           {"an axis of ", a.size, " or more"}, x.shape());
  }
  out.shape = x.shape();
  out.strides = x.strides();
  int64_t windows = (x.shape()[axis] - a.size) / a.step + 1;
  out.shape[axis] = windows;
  if (windows > 1) out.strides[axis] *= a.step;  // else a huge step would overflow
  out.shape.push_back(a.size);
  out.strides.push_back(x.strides()[axis]);
  return true;
}

Tensors unfold_back(const VjpArgs& v) {
  const auto& a = attrs_as<UnfoldAttrs>(v.attrs);
  const Shape& shape = v.in_meta[0].shape;
  int axis = normalize_axis(a.axis, shape.rank, v.op.name);
  return {overlap_add(v.grad[0], {axis, a.step, shape[axis]})};
}

void unfold_samples(Samples& s) {
  s.add({s.uniform({7})}, box(UnfoldAttrs{0, 3, 2}));
  s.add({s.uniform({5, 3})}, box(UnfoldAttrs{0, 2, 1}));
  s.add({s.uniform({2, 6, 2})}, box(UnfoldAttrs{-2, 2, 3}));
  s.add({s.uniform({4})}, box(UnfoldAttrs{0, 4, INT64_MAX}));
  s.add({s.uniform({0, 4})}, box(UnfoldAttrs{1, 1, 1}));
  s.refuse(Code::value, {s.uniform({4})}, box(UnfoldAttrs{0, 0, 1}));
  s.refuse(Code::value, {s.uniform({4})}, box(UnfoldAttrs{0, 2, 0}));
  s.refuse(Code::shape, {s.uniform({4})}, box(UnfoldAttrs{0, 5, 1}));
  s.refuse(Code::shape, {s.uniform({})});
  s.refuse(Code::index, {s.uniform({4})}, box(UnfoldAttrs{1, 1, 1}));
}

// ---- overlap_add ----

void overlap_add_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  const auto& a = attrs_as<OverlapAddAttrs>(attrs);
  const Shape& x = in[0].shape();
  if (x.rank < 2) {
    throw mismatch(Code::shape, op.name, "expected [..., windows, size]", "[..., windows, size]",
                   x);
  }
  int axis = normalize_axis(a.axis, x.rank - 1, op.name);
  check_at_least(op, "step", a.step, 1);
  check_at_least(op, "length", a.length, 0);
  int64_t windows = x[axis], size = x.back(), end = 0;
  if (windows && (__builtin_mul_overflow(windows - 1, a.step, &end) ||
                  __builtin_add_overflow(end, size, &end) || end > a.length)) {
    refuse(Code::shape, op,
           {"windows ", x, " with step ", a.step, " do not fit into length ", a.length}, a.length,
           x);
  }
  out[0].shape = x;
  out[0].shape.rank = x.rank - 1;
  out[0].shape[axis] = a.length;
  out[0].dtype = in[0].dtype();
}

auto summand(auto x) {
  if constexpr (std::is_integral_v<decltype(x)>) {
    return static_cast<uint64_t>(x);  // wraps
  } else {
    return static_cast<double>(value_of(x));
  }
}

// Places [begin, begin + n) of a line, n <= kTile; windows are added from the first to the last.
template <class T>
void add_piece(const T* in, const OverlapAddPlan& w, int64_t begin, int64_t n, T* out) {
  using Sum = decltype(summand(T()));
  Sum sums[kTile];
  for (int64_t t = 0; t < n; ++t) sums[t] = Sum(0);
  int64_t end = begin + n;
  int64_t first = begin < w.size ? 0 : (begin - w.size) / w.step + 1;
  for (int64_t k = first; k < w.count && k * w.step < end; ++k) {
    int64_t start = k * w.step, from = start < begin ? begin : start;
    int64_t to = start + w.size < end ? start + w.size : end;
    const T* window = in + k * w.stride + (from - start) * w.inside;
    Sum* at = sums + (from - begin);
    if (w.inside == 1) {
      for (int64_t j = 0; j < to - from; ++j) at[j] += summand(window[j]);
    } else {
      for (int64_t j = 0; j < to - from; ++j) at[j] += summand(window[j * w.inside]);
    }
  }
  for (int64_t t = 0; t < n; ++t) out[(begin + t) * w.out_stride] = stored<T>(sums[t]);
}

template <class T>
void add_windows(const OverlapAddPlan& w) {
  const StridedLoop& lines = w.lines;
  auto* out = reinterpret_cast<T*>(lines.data[0]);
  auto* in = reinterpret_cast<const T*>(lines.data[1]);
  int64_t pieces = (w.length + kTile - 1) / kTile;
  int64_t work = (w.length < kTile ? w.length : kTile) * (w.size / w.step + 1);
  parallel_for(outer_count(lines, lines.rank) * pieces, kGrain / work,
               [&](int64_t begin, int64_t end) {
                 for (int64_t unit = begin; unit < end; ++unit) {
                   OuterAxes<2> at(lines, lines.rank, unit / pieces);
                   int64_t from = unit % pieces * kTile;
                   add_piece(in + at.offset[1], w, from,
                             w.length - from < kTile ? w.length - from : kTile, out + at.offset[0]);
                 }
               });
}

Status run_overlap_add(const OverlapAddPlan& p) noexcept {
  visit_dtype(p.lines.dtype[0], [&](auto t) { add_windows<decltype(t)>(p); });
  return {};
}

Status overlap_add_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const auto& a = attrs_as<OverlapAddAttrs>(args.attrs);
  View x = args.in[0], y = args.out[0];
  if (numel(y.shape) == 0) return {};
  int axis = static_cast<int>(a.axis < 0 ? a.axis + y.shape.rank : a.axis);
  const int64_t size = x.shape.back(), count = size ? x.shape[axis] : 0;
  const int64_t stride = x.strides[axis], inside = x.strides.back(), out_stride = y.strides[axis];
  x.shape.rank = x.strides.rank = y.shape.rank;
  x.shape[axis] = y.shape[axis] = 1;
  const View* views[] = {&y, &x};
  const OverlapAddPlan plan{
      StridedLoop(y.shape, views), count, size, a.step, a.length, stride, inside, out_stride};
  return launch<run_overlap_add>(op, args, plan);
}

Tensors overlap_add_back(const VjpArgs& v) {
  const auto& a = attrs_as<OverlapAddAttrs>(v.attrs);
  const Shape& x = v.in_meta[0].shape;
  int axis = normalize_axis(a.axis, x.rank - 1, v.op.name);
  int64_t windows = x[axis], size = x.back();
  if (numel(x) == 0) return Tensors(1);
  int64_t end = (windows - 1) * a.step + size;
  return {unfold(slice(v.grad[0], {axis, 0, end, 1}), {axis, size, a.step})};
}

void overlap_add_samples(Samples& s) {
  s.add({s.uniform({3, 3})}, box(OverlapAddAttrs{0, 2, 7}));
  s.add({s.uniform({4, 3, 2})}, box(OverlapAddAttrs{0, 1, 6}));
  s.add({s.uniform({2, 2, 3, 2})}, box(OverlapAddAttrs{-2, 4, 9}));
  s.add({s.uniform({0, 3})}, box(OverlapAddAttrs{0, 1, 4}));
  s.add({s.uniform({3, 0})}, box(OverlapAddAttrs{0, 1, 4}));
  s.add({s.uniform({2, 0, 3})}, box(OverlapAddAttrs{0, 1, 4}));
  s.refuse(Code::shape, {s.uniform({3, 3})}, box(OverlapAddAttrs{0, 2, 6}));
  s.refuse(Code::shape, {s.uniform({3, 3})}, box(OverlapAddAttrs{0, INT64_MAX, 6}));
  s.refuse(Code::shape, {s.uniform({3})}, box(OverlapAddAttrs{0, 1, 6}));
  s.refuse(Code::value, {s.uniform({3, 3})}, box(OverlapAddAttrs{0, 0, 6}));
  s.refuse(Code::value, {s.uniform({3, 3})}, box(OverlapAddAttrs{0, 1, -1}));
  s.refuse(Code::index, {s.uniform({3, 3})}, box(OverlapAddAttrs{1, 1, 6}));
}

}  // namespace

extern constinit const OpDef unfold_def{.name = "unfold",
                                        .doc = "sliding windows along an axis",
                                        .attrs = &record_of<UnfoldAttrs>,
                                        .view = unfold_view,
                                        .vjp = unfold_back,
                                        .batch = batch_along_axes,
                                        .samples = unfold_samples};
GYRE_FUNCTION_1(unfold, UnfoldAttrs)

extern constinit const OpDef overlap_add_def{
    .name = "overlap_add",
    .doc = "overlap-add: sum of windows along an axis, the transpose of unfold",
    .attrs = &record_of<OverlapAddAttrs>,
    .infer = overlap_add_infer,
    .kernels = on_every_device(overlap_add_kernel),
    .vjp = overlap_add_back,
    .samples = overlap_add_samples};
GYRE_FUNCTION_1(overlap_add, OverlapAddAttrs)

}  // namespace gyre
