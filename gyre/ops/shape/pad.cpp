// Padding.
#include "gyre/kernel/copy.h"
#include "gyre/kernel/reduction.h"
#include "gyre/kernel/strided.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/op/literals.h"
#include "gyre/op/op_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {

extern const OpDef sum_def;  // ops/reduce, which builds on this folder

namespace {

// The most that one side of an axis of n elements can be padded by.
int64_t widest(PadMode mode, int64_t n) {
  switch (mode) {
    case PadMode::reflect:
      return n ? n - 1 : 0;
    case PadMode::circular:
      return n;
    case PadMode::replicate:
      return n ? INT64_MAX : 0;
    case PadMode::constant:
      break;
  }
  return INT64_MAX;
}

void pad_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  const auto& a = attrs_as<PadAttrs>(attrs);
  const Shape& shape = in[0].shape();
  if (a.before.rank != shape.rank || a.after.rank != shape.rank) {
    refuse(Code::value, op,
           {"expected a width before and after each of ", shape.rank, " axes, got ", a.before,
            " and ", a.after},
           {shape.rank, " widths"}, a.before);
  }
  if (a.mode == PadMode::constant) require_fit(a.value.literal(), in[0].dtype(), op.name);
  out[0].shape = shape;
  out[0].dtype = in[0].dtype();
  for (int i = 0; i < shape.rank; ++i) {
    for (int64_t width : {a.before[i], a.after[i]}) {
      int64_t& size = out[0].shape[i];
      if (width < 0) refuse(Code::value, op, "widths must not be negative", ">= 0", width);
      if (width > widest(a.mode, shape[i]) || __builtin_add_overflow(size, width, &size)) {
        refuse(Code::shape, op, {"axis ", i, " of ", shape, " is too short for a width of ", width},
               widest(a.mode, shape[i]), width);
      }
    }
  }
}

// Fills the padding of one axis of y, whose interior is already written.
struct Border {
  const View& y;
  int axis;
  int64_t before, inside, after;

  View part(int64_t start, int64_t count) const { return slice_of(y, axis, start, 1, count); }
  Status copy(int64_t from, int64_t to, int64_t count, bool backwards) const {
    if (count == 0) return {};
    View source = part(from, count);
    return copy_elements(backwards ? reversed(source, axis) : source, part(to, count));
  }
  Status fill(PadMode mode, const std::byte* value) const {
    int64_t end = before + inside;
    Status first, last;
    switch (mode) {
      case PadMode::constant:
        if (before) first = fill_elements(part(0, before), value);
        if (after) last = fill_elements(part(end, after), value);
        break;
      case PadMode::reflect:
        first = copy(before + 1, 0, before, true);
        last = copy(end - 1 - after, end, after, true);
        break;
      case PadMode::replicate:
        if (before) first = copy_elements(part(before, 1), part(0, before));
        if (after) last = copy_elements(part(end - 1, 1), part(end, after));
        break;
      case PadMode::circular:
        first = copy(end - before, 0, before, false);
        last = copy(before, end, after, false);
    }
    return first.failed ? first : last;
  }
};

// Axis by axis: axes before it already have their padded size, axes after it their original size.
Status pad_kernel(const OpDef&, const KernelArgs& args) noexcept {
  const auto& a = attrs_as<PadAttrs>(args.attrs);
  const View &x = args.in[0], &y = args.out[0];
  alignas(8) std::byte value[8];
  if (a.value.is_whole) {
    store_of(a.value.is_above ? Compute::u64 : Compute::i64, y.dtype)(&a.value.whole, value, 1);
  } else {
    store_of(Compute::f64, y.dtype)(&a.value.real, value, 1);
  }
  int rank = x.shape.rank;
  auto region = [&](int full) {
    View v = y;
    for (int i = full; i < rank; ++i) v = slice_of(v, i, a.before[i], 1, x.shape[i]);
    return v;
  };
  Status s = copy_elements(x, region(0));
  for (int i = 0; i < rank && !s.failed; ++i) {
    View v = region(i + 1);
    if (numel(v.shape)) s = Border{v, i, a.before[i], x.shape[i], a.after[i]}.fill(a.mode, value);
  }
  return s;
}

Tensor part_of(const Tensor& g, int axis, int64_t start, int64_t count) {
  return slice(g, {axis, start, start + count, 1});
}

// The gradient of the interior of one axis: its own part plus that of the padding copied from it.
Tensor inside_of(const Tensor& g, int axis, int64_t before, int64_t n, int64_t after,
                 PadMode mode) {
  Tensor r = part_of(g, axis, before, n);
  auto give = [&](const Tensor& part, int64_t start) {
    r = r + slice_embed(part, {axis, start, 1, n});
  };
  auto total = [&](const Tensor& part) {
    return apply_one(sum_def, {part}, box(ReduceAttrs{{axis}, true}));
  };
  Tensor first = part_of(g, axis, 0, before), last = part_of(g, axis, before + n, after);
  switch (mode) {
    case PadMode::constant:
      break;
    case PadMode::reflect:
      if (before) give(flip(first, {axis}), 1);
      if (after) give(flip(last, {axis}), n - 1 - after);
      break;
    case PadMode::replicate:
      if (before) give(total(first), 0);
      if (after) give(total(last), n - 1);
      break;
    case PadMode::circular:
      if (before) give(first, n - before);
      if (after) give(last, 0);
  }
  return r;
}

Tensors pad_back(const VjpArgs& v) {
  const auto& a = attrs_as<PadAttrs>(v.attrs);
  const Shape& shape = v.in_meta[0].shape;
  Tensor g = v.grad[0];
  for (int i = shape.rank; i-- > 0;) {
    if (a.before[i] || a.after[i]) g = inside_of(g, i, a.before[i], shape[i], a.after[i], a.mode);
  }
  return {g};
}

void pad_samples(Samples& s) {
  s.add({s.uniform({3, 4})}, box(PadAttrs{{1, 0}, {0, 2}}));
  s.add({s.uniform({2, 0})}, box(PadAttrs{{1, 1}, {0, 1}, PadMode::constant, 0.5}));
  s.add({s.uniform({})});
  s.add({s.integers({3}, 0, 4)},
        box(PadAttrs{{1}, {0}, PadMode::constant, (int64_t{1} << 53) + 1}));
  s.refuse(Code::value, {s.integers({3}, 0, 4)}, box(PadAttrs{{1}, {0}, PadMode::constant, 1e30}));
  for (PadMode mode : {PadMode::reflect, PadMode::replicate, PadMode::circular}) {
    s.add({s.uniform({5})}, box(PadAttrs{{3}, {4}, mode}));
    s.add({s.uniform({2, 4, 3})}, box(PadAttrs{{1, 0, 2}, {0, 3, 1}, mode}));
    s.add({s.uniform({0, 3})}, box(PadAttrs{{0, 1}, {0, 2}, mode}));
    s.refuse(Code::shape, {s.uniform({0})}, box(PadAttrs{{1}, {0}, mode}));
  }
  s.refuse(Code::shape, {s.uniform({4})}, box(PadAttrs{{4}, {0}, PadMode::reflect}));
  s.refuse(Code::shape, {s.uniform({4})}, box(PadAttrs{{0}, {5}, PadMode::circular}));
  s.refuse(Code::shape, {s.uniform({4})}, box(PadAttrs{{INT64_MAX}, {0}}));
  s.refuse(Code::value, {s.uniform({4})}, box(PadAttrs{{-1}, {0}}));
  s.refuse(Code::value, {s.uniform({4, 2})}, box(PadAttrs{{1}, {1}}));
}

}  // namespace

extern constinit const OpDef pad_def{
    .name = "pad",
    .doc = "pad both ends of axes (constant, reflect, replicate, circular)",
    .attrs = &record_of<PadAttrs>,
    .infer = pad_infer,
    .kernels = on_every_device(pad_kernel),
    .vjp = pad_back,
    .samples = pad_samples};
GYRE_FUNCTION_1(pad, PadAttrs)

}  // namespace gyre
