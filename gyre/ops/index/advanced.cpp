// Advanced indexing: index, index_put; take and masked_select on top of them.
#include <cstring>

#include "gyre/kernel/copy.h"
#include "gyre/kernel/outer_axes.h"
#include "gyre/op/apply.h"
#include "gyre/op/op_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/index/indices.h"
#include "gyre/ops/index/lookup.h"
#include "gyre/ops/index/places.h"
#include "gyre/ops/index/sums.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {

#define OP(name) extern const OpDef name##_def;
#include "gyre/ops/index/index.def"
#undef OP

namespace {

constexpr Arg kIndexArgs[] = {
    {"x"}, {.name = "indices", .optional = true, .variadic = true, .differentiable = false}};
constexpr Arg kPutArgs[] = {
    {"x"},
    {"values"},
    {.name = "indices", .optional = true, .variadic = true, .differentiable = false}};
constexpr Arg kTakeArgs[] = {{"x"}, {.name = "index", .differentiable = false}};
constexpr Arg kSelectArgs[] = {{"x"}, {.name = "mask", .differentiable = false}};

// x, [values,] indices as the operands of a call.
Tensors operands(std::initializer_list<Tensor> first, Inputs indices) {
  Tensors r;
  for (const Tensor& t : first) r.push_back(t);
  for (const Tensor& t : indices) r.push_back(t);
  return r;
}

// ---- index ----

void index_infer(const OpDef& op, const void*, Inputs in, std::span<Meta> out) {
  auto views = index_views(in, 1);
  out[0].shape = IndexedPositions(op, in[0].shape(), views).result;
  out[0].dtype = in[0].dtype();
}

size_t index_scratch(const void*, Inputs in) {
  auto views = index_views(in, 1);
  return IndexedPositions(index_def, in[0].shape(), views).scratch();
}

Status index_cpu(const OpDef& op, const KernelArgs& args) noexcept {
  const View &x = args.in[0], &out = args.out[0];
  auto views = index_views(args.in, 1);
  IndexedPositions places(op, x.shape, views);
  if (Status s = places.find(x.strides, args.scratch); s.failed) return s;
  Shape none_chosen, none_kept;
  for (int i = 0; i < places.chosen.rank; ++i) none_chosen.push_back(0);
  for (int i = 0; i < places.kept.rank; ++i) none_kept.push_back(0);
  View base = x, index;
  base.shape = index.shape = out.shape;
  base.strides = places.joined(none_chosen, places.kept_strides(x.strides));
  index.data = reinterpret_cast<std::byte*>(const_cast<int64_t*>(places.offsets()));
  index.strides = places.joined(contiguous_strides(places.chosen), none_kept);
  index.dtype = DType::i64;
  look_up({base, 1, index, out});
  return {};
}

Tensors index_back(const VjpArgs& a) {
  const Meta& x = a.in_meta[0];
  Tensor none = constant(x.shape, 0, {x.dtype, x.device});
  Tensors r(a.in.size());
  r[0] = index_put(none, a.in.subspan(1), a.grad[0], true);
  return r;
}

void index_samples(Samples& s) {
  Tensor whole;
  s.add({s.uniform({3, 4}), s.indices({2, -1, 2})});
  s.add({s.uniform({3, 4, 2}), s.indices({2, 0, 2}), s.integers({2, 1}, -4, 4)});
  s.add({s.uniform({3, 4, 2}), s.integers({2, 2}, 0, 3), whole, s.indices({1, 0})});
  s.add({s.uniform({2, 3, 4, 2}), whole, s.integers({2, 2}, 0, 3), s.indices({3, -4})});
  s.add({s.uniform({3, 5}), s.mask({3, 5})});
  s.add({s.uniform({2, 3, 5}), s.integers({}, 0, 2), s.mask({3})});
  s.add({s.uniform({3, 5}), whole, s.integers({}, 0, 5)});
  s.add({s.uniform({3}), s.integers({2, 0}, 0, 3)});
  s.add({s.uniform({}), s.mask({})});
  s.add({s.uniform({2, 2})});
  s.refuse(Code::index, {s.uniform({4}), s.indices({0, 4})});
  s.refuse(Code::index, {s.uniform({4}), s.indices({-5})});
  s.refuse(Code::shape, {s.uniform({4}), s.indices({0}), s.indices({0})});
  s.refuse(Code::shape, {s.uniform({4, 4}), s.indices({0, 1}), s.indices({0, 1, 2})});
  s.refuse(Code::shape, {s.uniform({4, 4}), s.mask({3})});
  s.refuse(Code::dtype, {s.uniform({4}), s.uniform({2})});
  s.refuse(Code::dtype, {s.uniform({4}), to(s.uniform({0}), DType::f32)});
  s.refuse(Code::shape, Tensors(kMaxRank + 2, s.mask({})));
  Shape deep;
  for (int i = 0; i < kMaxRank; ++i) deep.push_back(1);
  s.refuse(Code::shape, {s.uniform({1, 2}), s.integers(deep, 0, 1)});
}

// ---- index_put ----

void index_put_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  const Tensor &x = in[0], &values = in[1];
  bool adds = attrs_as<IndexPutAttrs>(attrs).accumulate;
  if (adds) check_summands(op, x, values);
  if (x.dtype() != values.dtype()) {
    refuse(Code::dtype, op,
           std::string("x and values must have the same dtype, got ") + name_of(x.dtype()) +
               " and " + name_of(values.dtype()),
           name_of(x.dtype()), name_of(values.dtype()));
  }
  auto views = index_views(in, 2);
  IndexedPositions places(op, x.shape(), views);
  if (!(broadcast(places.result, values.shape(), op.name) == places.result)) {
    refuse(Code::shape, op,
           "values " + to_string(values.shape()) + " do not broadcast to the selection " +
               to_string(places.result),
           to_string(places.result), to_string(values.shape()));
  }
  out[0].shape = x.shape();
  out[0].dtype = x.dtype();
}

// values as [chosen..., kept...].
View by_place(const IndexedPositions& places, const View& values) {
  Shape spread;
  for (int i = 0; i < places.result.rank; ++i) {
    int k = i - (places.result.rank - values.shape.rank);
    spread.push_back(k < 0 || values.shape[k] == 1 ? 0 : values.strides[k]);
  }
  View r = values;
  r.shape = r.strides = {};
  for (int pass = 0; pass < 2; ++pass) {
    for (int i = 0; i < spread.rank; ++i) {
      bool is_chosen = i >= places.first && i < places.first + places.chosen.rank;
      if (is_chosen != (pass == 0)) continue;
      r.shape.push_back(places.result[i]);
      r.strides.push_back(spread[i]);
    }
  }
  return r;
}

size_t whole_words(size_t bytes) { return (bytes + 7) / 8 * 8; }

// Parts of scratch: that of Places, contiguous values if needed, f32 sums of 16-bit floats.
struct PutRoom {
  size_t places, values = 0, sums = 0;
  PutRoom(const IndexedPositions& p, const View& values_by_place, const Shape& x, bool adds)
      : places(p.scratch()) {
    const View& v = values_by_place;
    if (!is_contiguous(v.shape, v.strides)) {
      values = whole_words(static_cast<size_t>(numel(v.shape)) * size_of(v.dtype));
    }
    if (adds && is_half(v.dtype)) sums = static_cast<size_t>(numel(x)) * sizeof(float);
  }
  size_t total() const { return places + values + sums; }
};

size_t index_put_scratch(const void* attrs, Inputs in) {
  auto views = index_views(in, 2);
  IndexedPositions places(index_put_def, in[0].shape(), views);
  return PutRoom(places, by_place(places, view_of(in[1])), in[0].shape(),
                 attrs_as<IndexPutAttrs>(attrs).accumulate)
      .total();
}

// Calls put(to, step, from, n) for ranges of the kept axes, position by position: n elements of
// values starting at `from` belong at to, to + step, ... Work is split along the kept axes, so that
// writes to one element happen in the order of the positions.
void each_stretch(const IndexedPositions& places, const Shape& strides, auto put) {
  int64_t count = numel(places.chosen), inside = numel(places.kept);
  if (count == 0 || inside == 0) return;
  View to, from;
  to.shape = from.shape = places.kept;
  to.strides = places.kept_strides(strides);
  from.strides = contiguous_strides(places.kept);
  const View* views[] = {&to, &from};
  StridedLoop loop(places.kept, views);
  int last = loop.rank - 1;
  int64_t row = loop.dims[last], step = loop.strides[0][last];
  int64_t piece = row < kTile ? row : kTile, pieces = (row + piece - 1) / piece;
  int64_t grain = kGrain / (count * piece) + 1;
  parallel_for(outer_count(loop, last) * pieces, grain, [&](int64_t begin, int64_t end) {
    for (int64_t unit = begin; unit < end; ++unit) {
      OuterAxes<2> at(loop, last, unit / pieces);
      int64_t start = unit % pieces * piece, n = row - start < piece ? row - start : piece;
      int64_t t = at.offset[0] + start * step, f = at.offset[1] + start;
      for (int64_t i = 0; i < count; ++i) put(places.offsets()[i] + t, step, i * inside + f, n);
    }
  });
}

void put_values(const IndexedPositions& places, const View& out, const View& values) {
  auto size = static_cast<int64_t>(size_of(out.dtype));
  each_stretch(places, out.strides, [&](int64_t t, int64_t step, int64_t f, int64_t n) {
    std::byte* to = out.data + t * size;
    const std::byte* from = values.data + f * size;
    if (step == 1) {
      std::memcpy(to, from, static_cast<size_t>(n * size));
      return;
    }
    for (int64_t k = 0; k < n; ++k) {
      std::memcpy(to + k * step * size, from + k * size, static_cast<size_t>(size));
    }
  });
}

template <class T>
void add_values(const IndexedPositions& places, const View& sums, const View& values) {
  auto* sum = reinterpret_cast<SumOf<T>*>(sums.data);
  auto* value = reinterpret_cast<const T*>(values.data);
  each_stretch(places, sums.strides, [=](int64_t t, int64_t step, int64_t f, int64_t n) {
    for (int64_t k = 0; k < n; ++k) {
      SumOf<T>& to = sum[t + k * step];
      to = sum_of(to, static_cast<SumOf<T>>(value_of(value[f + k])));
    }
  });
}

void add_values(const IndexedPositions& places, const View& sums, const View& values) {
  switch (values.dtype) {
#define X(name, type, kind)                 \
  case DType::name:                         \
    add_values<type>(places, sums, values); \
    break;
    GYRE_DTYPES(X)
#undef X
  }
}

Status index_put_cpu(const OpDef& op, const KernelArgs& args) noexcept {
  const View &x = args.in[0], &out = args.out[0];
  bool adds = attrs_as<IndexPutAttrs>(args.attrs).accumulate;
  auto views = index_views(args.in, 2);
  IndexedPositions places(op, x.shape, views);
  View values = by_place(places, args.in[1]);
  PutRoom room(places, values, x.shape, adds);
  View to = out;
  if (room.sums) {
    to.data = args.scratch + room.places + room.values;
    to.dtype = DType::f32;
  }
  if (Status s = places.find(to.strides, args.scratch); s.failed) return s;
  if (room.values) {
    View ordered{args.scratch + room.places, values.shape, contiguous_strides(values.shape),
                 values.dtype};
    if (Status s = copy_elements(values, ordered); s.failed) return s;
    values = ordered;
  }
  if (Status s = copy_elements(x, to); s.failed) return s;
  if (adds) {
    add_values(places, to, values);
  } else {
    put_values(places, to, values);
  }
  return room.sums ? copy_elements(to, out) : Status{};
}

Tensors index_put_back(const VjpArgs& a) {
  const Tensor& g = a.grad[0];
  Inputs indices = a.in.subspan(2);
  Tensors r(a.in.size());
  bool adds = attrs_as<IndexPutAttrs>(a.attrs).accumulate;
  Tensor zero = constant({}, 0, {g.dtype(), g.device()});
  if (a.wanted[0]) r[0] = adds ? g : index_put(g, indices, zero);
  if (!a.wanted[1]) return r;
  r[1] = index(g, indices);
  if (adds) return r;
  // if several values write one element, only the last gets a gradient
  Tensor number = arange(0, static_cast<double>(r[1].numel()), 1, {DType::i64, g.device()});
  number = reshape(number, r[1].shape());
  Tensor board = constant(g.shape(), 0, {DType::i64, g.device()});
  r[1] = where(eq(index(index_put(board, indices, number), indices), number), r[1], zero);
  return r;
}

void index_put_samples(Samples& s) {
  using A = IndexPutAttrs;
  Tensor whole;
  for (bool adds : {false, true}) {
    s.add({s.uniform({3, 4}), s.uniform({3, 4}), s.indices({2, -1, 2})}, box(A{adds}));
    s.add(
        {s.uniform({3, 4, 2}), s.uniform({3, 2}), s.indices({2, 0, 2}), s.integers({2, 1}, -4, 4)},
        box(A{adds}));
    s.add({s.uniform({3, 4, 2}), s.uniform({2, 2, 1}), s.integers({2, 2}, 0, 3), whole,
           s.indices({1, 0})},
          box(A{adds}));
    s.add({s.uniform({2, 3, 4}), s.uniform({2, 2, 2, 4}), whole, s.integers({2, 2}, 0, 3)},
          box(A{adds}));
    s.add({s.uniform({3, 5}), s.uniform({}), s.mask({3, 5})}, box(A{adds}));
    s.add({s.uniform({3}), s.uniform({}), s.integers({2, 0}, 0, 3)}, box(A{adds}));
  }
  s.add({s.mask({4}), s.mask({3}), s.indices({3, 3, 0})}, box(A{}));
  s.refuse(Code::index, {s.uniform({4}), s.uniform({}), s.indices({0, 4})}, box(A{}));
  s.refuse(Code::index, {s.uniform({4}), s.uniform({}), s.indices({-5})}, box(A{}));
  s.refuse(Code::shape, {s.uniform({4}), s.uniform({3}), s.indices({0, 1})}, box(A{}));
  s.refuse(Code::shape, {s.uniform({4}), s.uniform({1, 2}), s.indices({0, 1})}, box(A{}));
  s.refuse(Code::dtype, {s.uniform({4}), s.indices({1}), s.indices({0})}, box(A{}));
  s.refuse(Code::dtype, {s.mask({4}), s.mask({1}), s.indices({0})}, box(A{true}));
  s.refuse(Code::dtype, {s.uniform({4}), s.uniform({1}), s.uniform({1})}, box(A{}));
  s.refuse(Code::dtype, {s.uniform({4}), s.uniform({0}), to(s.uniform({0}), DType::f32)}, box(A{}));
}

// ---- take, masked_select ----

Tensors take_by_index(const OpDef&, const void*, Inputs in) {
  check_index_dtype(take_def, in[1]);
  return {index(reshape(in[0], {in[0].numel()}), in.subspan(1))};
}

void take_samples(Samples& s) {
  s.add({s.uniform({3, 4}), s.indices({11, -12, 5, 5})});
  s.add({s.uniform({2, 3, 2}), s.integers({2, 3}, -12, 12)});
  s.add({s.uniform({}), s.integers({}, 0, 1)});
  s.add({s.uniform({0, 3}), s.integers({0}, 0, 1)});
  s.refuse(Code::index, {s.uniform({3, 4}), s.indices({12})});
  s.refuse(Code::index, {s.uniform({3, 4}), s.indices({-13})});
  s.refuse(Code::dtype, {s.uniform({3, 4}), s.mask({12})});
}

Tensors masked_select_by_index(const OpDef&, const void*, Inputs in) {
  const Tensor &x = in[0], &mask = in[1];
  if (mask.dtype() != DType::boolean) {
    refuse(Code::dtype, masked_select_def, "the mask must be boolean", "boolean",
           name_of(mask.dtype()));
  }
  Shape space = broadcast(x.shape(), mask.shape(), masked_select_def.name);
  return {index(expand(x, space), {expand(mask, space)})};
}

void masked_select_samples(Samples& s) {
  s.add({s.uniform({3, 4}), s.mask({3, 4})});
  s.add({s.uniform({3, 1}), s.mask({2, 1, 4})});
  s.add({s.uniform({}), s.mask({5})});
  s.add({s.uniform({0, 3}), s.mask({3})});
  s.refuse(Code::dtype, {s.uniform({3}), s.indices({0, 1, 1})});
  s.refuse(Code::shape, {s.uniform({3}), s.mask({2})});
}

}  // namespace

constinit const OpDef index_def{.name = "index",
                                .doc = "advanced indexing: elements selected by index tensors",
                                .args = kIndexArgs,
                                .infer = index_infer,
                                .kernels = {index_cpu},
                                .scratch = index_scratch,
                                .vjp = index_back,
                                .saves_in = ~uint64_t{1},
                                .samples = index_samples};
Tensor index(const Tensor& x, Inputs indices) {
  return apply_one(index_def, operands({x}, indices));
}

constinit const OpDef index_put_def{
    .name = "index_put",
    .doc = "copy of x with values written at the elements selected by index tensors",
    .args = kPutArgs,
    .attrs = &record_of<IndexPutAttrs>,
    .infer = index_put_infer,
    .kernels = {index_put_cpu},
    .scratch = index_put_scratch,
    .vjp = index_put_back,
    .saves_in = ~uint64_t{3},
    .samples = index_put_samples};
Tensor index_put(const Tensor& x, Inputs indices, const Tensor& values, bool accumulate) {
  return apply_one(index_put_def, operands({x, values}, indices), box(IndexPutAttrs{accumulate}));
}

constinit const OpDef take_def{.name = "take",
                               .doc = "elements at flat (row-major) indices",
                               .args = kTakeArgs,
                               .compose = take_by_index,
                               .samples = take_samples};
Tensor take(const Tensor& x, const Tensor& index) { return apply_one(take_def, {x, index}); }

constinit const OpDef masked_select_def{.name = "masked_select",
                                        .doc = "1-D tensor of the elements where mask is true",
                                        .args = kSelectArgs,
                                        .compose = masked_select_by_index,
                                        .samples = masked_select_samples};
Tensor masked_select(const Tensor& x, const Tensor& mask) {
  return apply_one(masked_select_def, {x, mask});
}

}  // namespace gyre
