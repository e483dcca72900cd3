// Repetition: tile and repeat_interleave, by views of stride 0 and one copy.
#include "gyre/op/apply.h"
#include "gyre/op/op_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

// Reshapes an expanded view; never returns x's own memory.
Tensor copied(const Tensor& x, const Tensor& expanded, const Shape& shape) {
  Tensor y = reshape(expanded, shape);
  return y.impl()->storage == x.impl()->storage ? clone(y) : y;
}

void check_repeats(const OpDef& op, int64_t n) {
  if (n < 0) throw mismatch(Code::value, op.name, "repeats must not be negative", ">= 0", n);
}

Tensors tile_by_expand(const OpDef& op, const void* attrs, Inputs in) {
  const Shape &given = attrs_as<TileAttrs>(attrs).repeats, &old = in[0].shape();
  int rank = given.rank > old.rank ? given.rank : old.rank;
  Shape apart, repeated, joined;
  for (int i = 0; i < rank; ++i) {
    int k = i - (rank - given.rank), j = i - (rank - old.rank);
    int64_t times = k < 0 ? 1 : given[k], size = j < 0 ? 1 : old[j], all;
    check_repeats(op, times);
    if (__builtin_mul_overflow(times, size, &all)) {
      refuse(Code::resource, op, {"repeats ", given, " of ", old, " give too many elements"});
    }
    if (times != 1) {
      apart.push_back(1);
      repeated.push_back(times);
    }
    apart.push_back(size);
    repeated.push_back(size);
    joined.push_back(all);
  }
  return {copied(in[0], expand(reshape(in[0], apart), repeated), joined)};
}

void tile_samples(Samples& s) {
  s.add({s.uniform({2, 3})}, box(TileAttrs{{2, 3}}));
  s.add({s.uniform({2, 3})}, box(TileAttrs{{2}}));
  s.add({s.uniform({3})}, box(TileAttrs{{2, 1, 2}}));
  s.add({s.uniform({})}, box(TileAttrs{{3}}));
  s.add({s.uniform({2, 1})}, box(TileAttrs{{1, 0}}));
  s.add({s.uniform({2, 3})});
  s.refuse(Code::value, {s.uniform({2})}, box(TileAttrs{{-1}}));
  s.refuse(Code::resource, {s.uniform({4})}, box(TileAttrs{{INT64_MAX}}));
}

Tensors repeat_by_expand(const OpDef& op, const void* attrs, Inputs in) {
  const auto& a = attrs_as<RepeatAttrs>(attrs);
  const Tensor& x = in[0];
  check_repeats(op, a.count);
  int axis = normalize_axis(a.axis, x.rank(), "repeat_interleave");
  if (x.rank() == 0) {
    refuse(Code::shape, op, "a 0-d tensor has no axis to repeat along", "[..., n]", "[]");
  }
  Shape repeated, joined = x.shape();
  for (int i = 0; i < x.rank(); ++i) {
    repeated.push_back(x.shape()[i]);
    if (i == axis) repeated.push_back(a.count);
  }
  if (__builtin_mul_overflow(joined[axis], a.count, &joined[axis])) {
    refuse(Code::resource, op,
           {"repeating ", x.shape(), " ", a.count, " times gives too many elements"});
  }
  return {copied(x, expand(unsqueeze(x, axis + 1), repeated), joined)};
}

void repeat_samples(Samples& s) {
  s.add({s.uniform({2, 3})}, box(RepeatAttrs{2, 0}));
  s.add({s.uniform({2, 3})}, box(RepeatAttrs{3, -1}));
  s.add({s.uniform({4})}, box(RepeatAttrs{1, 0}));
  s.add({s.uniform({4})}, box(RepeatAttrs{0, 0}));
  s.refuse(Code::value, {s.uniform({2})}, box(RepeatAttrs{-1, 0}));
  s.refuse(Code::index, {s.uniform({2})}, box(RepeatAttrs{1, 1}));
  s.refuse(Code::shape, {s.uniform({})}, box(RepeatAttrs{2, 0}));
  s.refuse(Code::resource, {s.uniform({4})}, box(RepeatAttrs{INT64_MAX, 0}));
}

}  // namespace

extern constinit const OpDef tile_def{.name = "tile",
                                      .doc = "repeat the tensor along each axis",
                                      .attrs = &record_of<TileAttrs>,
                                      .compose = tile_by_expand,
                                      .samples = tile_samples};
GYRE_FUNCTION_OF(tile, TileAttrs, const Shape&)

extern constinit const OpDef repeat_interleave_def{
    .name = "repeat_interleave",
    .doc = "repeat each slice along an axis consecutively",
    .attrs = &record_of<RepeatAttrs>,
    .compose = repeat_by_expand,
    .samples = repeat_samples};
Tensor repeat_interleave(const Tensor& x, int64_t count, int64_t axis) {
  return apply_one(repeat_interleave_def, Inputs(&x, 1), box(RepeatAttrs{count, axis}));
}

}  // namespace gyre
