// flip and roll.
#include "gyre/kernel/copy.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/op/op_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

// ---- flip: not a view, since tensors have no negative strides ----

void flip_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  normalize_axes(attrs_as<FlipAttrs>(attrs).axes, in[0].rank(), op.name);
  infer_like_first(op, attrs, in, out);
}

Status flip_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  View x = args.in[0];
  const Shape& given = attrs_as<FlipAttrs>(args.attrs).axes;
  Shape axes = normalize_axes(given, x.shape.rank, op.name);
  for (int i = 0; i < x.shape.rank && numel(x.shape); ++i) {
    if (given.rank == 0 || axes.contains(i)) x = reversed(x, i);
  }
  return copy_elements(x, args.out[0]);
}

Tensors flip_back(const VjpArgs& a) { return {flip(a.grad[0], attrs_as<FlipAttrs>(a.attrs).axes)}; }

void flip_samples(Samples& s) {
  s.add({s.uniform({3, 4})}, box(FlipAttrs{{0}}));
  s.add({s.uniform({2, 3, 4})}, box(FlipAttrs{{-1, 0}}));
  s.add({s.uniform({2, 3})});
  s.add({s.uniform({})});
  s.add({s.uniform({2, 0})}, box(FlipAttrs{{1}}));
  s.refuse(Code::index, {s.uniform({2, 3})}, box(FlipAttrs{{2}}));
  s.refuse(Code::value, {s.uniform({2, 3})}, box(FlipAttrs{{1, -1}}));
}

// ---- roll ----

// How far each axis moves, in 0..size-1.
Shape moves_of(const RollAttrs& a, const Shape& shape, const char* op) {
  Shape moves;
  for (int i = 0; i < shape.rank; ++i) moves.push_back(0);
  for (int k = 0; k < a.axes.rank && shape.rank; ++k) {
    int axis = normalize_axis(a.axes[k], shape.rank, op);
    int64_t size = shape[axis] ? shape[axis] : 1, by = a.shifts[k] % size;
    moves[axis] = by < 0 ? by + size : by;
  }
  return moves;
}

void roll_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  const auto& a = attrs_as<RollAttrs>(attrs);
  normalize_axes(a.axes, in[0].rank(), op.name);
  if (a.shifts.rank != a.axes.rank) {
    refuse(Code::value, op,
           {"expected one shift per axis, got shifts ", a.shifts, " for axes ", a.axes},
           a.axes.rank, a.shifts.rank);
  }
  infer_like_first(op, attrs, in, out);
}

Status copy_rolled(const View& x, const View& y, const Shape& moves, int axis) {
  while (axis < x.shape.rank && moves[axis] == 0) ++axis;
  if (axis == x.shape.rank) return copy_elements(x, y);
  int64_t n = x.shape[axis], by = moves[axis];
  auto part = [&](int64_t from, int64_t to, int64_t count) {
    return copy_rolled(slice_of(x, axis, from, 1, count), slice_of(y, axis, to, 1, count), moves,
                       axis + 1);
  };
  if (Status s = part(0, by, n - by); s.failed) return s;
  return part(n - by, 0, by);
}

Status roll_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const View& x = args.in[0];
  Shape moves = moves_of(attrs_as<RollAttrs>(args.attrs), x.shape, op.name);
  return copy_rolled(x, args.out[0], moves, 0);
}

Tensors roll_back(const VjpArgs& a) {
  RollAttrs back = attrs_as<RollAttrs>(a.attrs);
  const Shape& shape = a.in_meta[0].shape;
  Shape moves = moves_of(back, shape, a.op.name);
  for (int k = 0; k < back.axes.rank && shape.rank; ++k) {
    back.shifts[k] = -moves[normalize_axis(back.axes[k], shape.rank, a.op.name)];
  }
  return {roll(a.grad[0], back)};
}

void roll_samples(Samples& s) {
  s.add({s.uniform({5})}, box(RollAttrs{{2}, {0}}));
  s.add({s.uniform({3, 4})}, box(RollAttrs{{-1}, {-1}}));
  s.add({s.uniform({2, 3, 4})}, box(RollAttrs{{1, 7}, {0, 2}}));
  s.add({s.uniform({2, 3})});
  s.add({s.uniform({})}, box(RollAttrs{{1}, {0}}));
  s.add({s.uniform({2, 0})}, box(RollAttrs{{INT64_MIN}, {1}}));
  s.refuse(Code::index, {s.uniform({2, 3})}, box(RollAttrs{{1}, {2}}));
  s.refuse(Code::value, {s.uniform({2, 3})}, box(RollAttrs{{1}, {0, 1}}));
  s.refuse(Code::value, {s.uniform({2, 3})}, box(RollAttrs{{1, 1}, {0, -2}}));
}

}  // namespace

extern constinit const OpDef flip_def{.name = "flip",
                                      .doc = "reverse the order of elements along axes",
                                      .attrs = &record_of<FlipAttrs>,
                                      .infer = flip_infer,
                                      .kernels = on_every_device(flip_kernel),
                                      .vjp = flip_back,
                                      .samples = flip_samples};
GYRE_FUNCTION_OF(flip, FlipAttrs, const Shape&)

extern constinit const OpDef roll_def{.name = "roll",
                                      .doc = "circular shift along axes",
                                      .attrs = &record_of<RollAttrs>,
                                      .infer = roll_infer,
                                      .kernels = on_every_device(roll_kernel),
                                      .vjp = roll_back,
                                      .samples = roll_samples};
GYRE_FUNCTION_1(roll, RollAttrs)

}  // namespace gyre
