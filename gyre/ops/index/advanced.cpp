// Advanced indexing: index, index_put; take and masked_select on top of them.
#include <cstring>

#include "gyre/kernel/copy.h"
#include "gyre/kernel/outer_axes.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/op/op_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/index/nonzero.h"
#include "gyre/ops/index/plans.h"
#include "gyre/ops/index/sums.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {

extern const OpDef index_at_def, index_put_at_def;

/// Of index_at and index_put_at: the number of axes that each index tensor chooses along.
struct IndexAttrs {
  Shape spans;
  bool accumulate = false;
};
GYRE_FIELDS(IndexAttrs, GYRE_FIELD(spans, "number of axes of each index tensor"),
            GYRE_FIELD(accumulate, "add to existing elements"));

namespace {

constexpr Arg kIndexArgs[] = {
    {"x"}, {.name = "indices", .optional = true, .variadic = true, .differentiable = false}};
constexpr Arg kPutArgs[] = {
    {"x"},
    {"values"},
    {.name = "indices", .optional = true, .variadic = true, .differentiable = false}};
constexpr Arg kSelectArgs[] = {{"x"}, {.name = "mask", .differentiable = false}};

// ---- masks become positions

// The index tensors of a call: how many axes each chooses along, and whether values are added up.
const IndexAttrs& index_attrs(const void* attrs) { return attrs_as<IndexAttrs>(attrs); }

IndexViews views_of(Inputs in, size_t first, const Shape& spans) {
  IndexViews r;
  for (const Tensor& t : in.subspan(first)) {
    r.push_back({layout_of(t), t.defined(), static_cast<int>(spans[static_cast<int>(r.size())])});
  }
  return r;
}

IndexViews views_of(std::span<const View> in, size_t first, const Shape& spans) {
  IndexViews r;
  for (const View& v : in.subspan(first)) {
    // an empty tensor may have no data; an absent one has the shape of one element
    bool present = v.data || v.shape.rank > 0;
    r.push_back({v, present, static_cast<int>(spans[static_cast<int>(r.size())])});
  }
  return r;
}

void check_mask(const OpDef& op, const Shape& x, int axis, const Shape& mask) {
  bool fits = axis + mask.rank <= x.rank;
  for (int k = 0; fits && k < mask.rank; ++k) fits = mask[k] == x[axis + k];
  if (fits) return;
  refuse(Code::shape, op, {"mask ", mask, " at axis ", axis, " does not match the shape of x ", x},
         x, mask);
}

// The operands of a call of which those from `first` on are indices, with positions for masks.
Tensors with_positions(const OpDef& op, Inputs in, size_t first, IndexAttrs& attrs) {
  if (in.size() - first > static_cast<size_t>(kMaxRank)) {
    refuse(Code::shape, op, {"expected at most ", kMaxRank, " index tensors"});
  }
  Tensors all(in.begin(), in.end());
  int axis = 0;
  for (Tensor& t : std::span(all).subspan(first)) {
    int span = 1;
    if (t.defined() && t.dtype() == DType::boolean) {
      span = t.rank();
      check_mask(op, in[0].shape(), axis, t.shape());
      t = nonzero_positions(t);
    } else if (t.defined() && t.dtype() != DType::i32 && t.dtype() != DType::i64) {
      throw mismatch(Code::dtype, op.name, "indices must be i32, i64 or boolean",
                     "i32, i64 or boolean", t.dtype());
    }
    attrs.spans.push_back(span);
    axis += span;
  }
  return all;
}

// ---- index ----

Tensors index_by_positions(const OpDef& op, const void*, Inputs in) {
  IndexAttrs attrs;
  Tensors operands = with_positions(op, in, 1, attrs);
  return apply(index_at_def, operands, box(attrs));
}

void index_at_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  auto views = views_of(in, 1, index_attrs(attrs).spans);
  out[0].shape = IndexedPositions(op, in[0].shape(), views).result;
  out[0].dtype = in[0].dtype();
}

size_t index_at_scratch(const void* attrs, Inputs in) {
  auto views = views_of(in, 1, index_attrs(attrs).spans);
  return IndexedPositions(index_at_def, in[0].shape(), views).scratch();
}

Status run_index(const IndexPlan& p) noexcept {
  if (Status s = p.positions.find(p.strides, p.offsets); s.failed) return s;
  look_up(p.lookup);
  return {};
}

Status index_at_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const View &x = args.in[0], &out = args.out[0];
  auto views = views_of(args.in, 1, index_attrs(args.attrs).spans);
  IndexedPositions places(op, x.shape, views);
  Shape none_chosen, none_kept;
  for (int i = 0; i < places.chosen.rank; ++i) none_chosen.push_back(0);
  for (int i = 0; i < places.kept.rank; ++i) none_kept.push_back(0);
  View base = x, index;
  base.shape = index.shape = out.shape;
  base.strides = places.joined(none_chosen, places.kept_strides(x.strides));
  index.data = args.scratch;
  index.strides = places.joined(contiguous_strides(places.chosen), none_kept);
  index.dtype = DType::i64;
  return launch<run_index>(op, args,
                           IndexPlan{places, x.strides, reinterpret_cast<int64_t*>(args.scratch),
                                     Lookup(base, 1, index, out)});
}

Tensor put_at(const Tensor& x, const Tensor& values, Inputs indices, IndexAttrs attrs,
              bool accumulate) {
  Tensors operands{x, values};
  for (const Tensor& t : indices) operands.push_back(t);
  attrs.accumulate = accumulate;
  return apply_one(index_put_at_def, operands, box(attrs));
}

Tensors index_back(const VjpArgs& a) {
  const Meta& x = a.in_meta[0];
  Tensor none = constant(x.shape, 0, {x.dtype, x.device});
  Tensors r(a.in.size());
  r[0] = put_at(none, a.grad[0], a.in.subspan(1), index_attrs(a.attrs), true);
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

Tensors index_put_by_positions(const OpDef& op, const void* attrs, Inputs in) {
  IndexAttrs a{{}, attrs_as<IndexPutAttrs>(attrs).accumulate};
  Tensors operands = with_positions(op, in, 2, a);
  return apply(index_put_at_def, operands, box(a));
}

void index_put_at_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  const Tensor &x = in[0], &values = in[1];
  const IndexAttrs& a = index_attrs(attrs);
  if (a.accumulate) check_summands(op, x, values);
  if (x.dtype() != values.dtype()) {
    refuse(Code::dtype, op,
           {"x and values must have the same dtype, got ", x.dtype(), " and ", values.dtype()},
           x.dtype(), values.dtype());
  }
  auto views = views_of(in, 2, a.spans);
  IndexedPositions places(op, x.shape(), views);
  if (!(broadcast(places.result, values.shape(), op.name) == places.result)) {
    refuse(Code::shape, op,
           {"values ", values.shape(), " do not broadcast to the selection ", places.result},
           places.result, values.shape());
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

size_t index_put_at_scratch(const void* attrs, Inputs in) {
  const IndexAttrs& a = index_attrs(attrs);
  auto views = views_of(in, 2, a.spans);
  IndexedPositions places(index_put_at_def, in[0].shape(), views);
  return PutRoom(places, by_place(places, layout_of(in[1])), in[0].shape(), a.accumulate).total();
}

// Calls put(to, step, from, n) for ranges of the kept axes, position by position: n elements of
// values starting at `from` belong at to, to + step, ... Work is split along the kept axes, so that
// writes to one element happen in the order of the positions.
void each_stretch(const PutPlan& p, auto put) {
  const IndexedPositions& places = p.positions;
  int64_t count = numel(places.chosen), inside = numel(places.kept);
  if (count == 0 || inside == 0) return;
  View to, from;
  to.shape = from.shape = places.kept;
  to.strides = places.kept_strides(p.to.strides);
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
      for (int64_t i = 0; i < count; ++i) put(p.offsets[i] + t, step, i * inside + f, n);
    }
  });
}

void put_values(const PutPlan& p) {
  auto size = static_cast<int64_t>(size_of(p.to.dtype));
  each_stretch(p, [&](int64_t t, int64_t step, int64_t f, int64_t n) {
    std::byte* to = p.to.data + t * size;
    const std::byte* from = p.values.data + f * size;
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
void add_values(const PutPlan& p) {
  auto* sum = reinterpret_cast<SumOf<T>*>(p.to.data);
  auto* value = reinterpret_cast<const T*>(p.values.data);
  each_stretch(p, [=](int64_t t, int64_t step, int64_t f, int64_t n) {
    for (int64_t k = 0; k < n; ++k) {
      SumOf<T>& to = sum[t + k * step];
      to = sum_of(to, static_cast<SumOf<T>>(value_of(value[f + k])));
    }
  });
}

Status run_index_put(const PutPlan& p) noexcept {
  if (Status s = p.positions.find(p.to.strides, p.offsets); s.failed) return s;
  if (!p.adds) return put_values(p), Status{};
  visit_dtype(p.values.dtype, [&](auto t) { add_values<decltype(t)>(p); });
  return {};
}

Status index_put_at_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const View &x = args.in[0], &out = args.out[0];
  const IndexAttrs& a = index_attrs(args.attrs);
  auto views = views_of(args.in, 2, a.spans);
  IndexedPositions places(op, x.shape, views);
  View values = by_place(places, args.in[1]), to = out;
  PutRoom room(places, values, x.shape, a.accumulate);
  if (room.sums) {
    to.data = args.scratch + room.places + room.values;
    to.dtype = DType::f32;
  }
  if (room.values) {
    View ordered{args.scratch + room.places, values.shape, contiguous_strides(values.shape),
                 values.dtype, values.device};
    if (Status s = copy_elements(values, ordered); s.failed) return s;
    values = ordered;
  }
  if (Status s = copy_elements(x, to); s.failed) return s;
  PutPlan plan{places, reinterpret_cast<int64_t*>(args.scratch), to, values, a.accumulate};
  if (Status s = launch<run_index_put>(op, args, plan); s.failed) return s;
  return room.sums ? copy_elements(to, out) : Status{};
}

Tensors index_put_back(const VjpArgs& a) {
  const Tensor& g = a.grad[0];
  const IndexAttrs& attrs = index_attrs(a.attrs);
  Inputs indices = a.in.subspan(2);
  auto at = [&](const Tensor& x) {
    Tensors operands{x};
    for (const Tensor& t : indices) operands.push_back(t);
    return apply_one(index_at_def, operands, box(attrs));
  };
  Tensors r(a.in.size());
  Tensor zero = constant({}, 0, {g.dtype(), g.device()});
  if (a.wanted[0]) r[0] = attrs.accumulate ? g : put_at(g, zero, indices, attrs, false);
  if (!a.wanted[1]) return r;
  r[1] = at(g);
  if (attrs.accumulate) return r;
  // if several values write one element, only the last gets a gradient
  Tensor number = arange(0, static_cast<double>(r[1].numel()), 1, {DType::i64, g.device()});
  number = reshape(number, r[1].shape());
  Tensor board = constant(g.shape(), 0, {DType::i64, g.device()});
  r[1] = where(eq(at(put_at(board, number, indices, attrs, false)), number), r[1], zero);
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
  s.add({s.mask({4}), s.mask({3}), s.indices({3, 3, 0})});
  s.refuse(Code::index, {s.uniform({4}), s.uniform({}), s.indices({0, 4})});
  s.refuse(Code::index, {s.uniform({4}), s.uniform({}), s.indices({-5})});
  s.refuse(Code::shape, {s.uniform({4}), s.uniform({3}), s.indices({0, 1})});
  s.refuse(Code::shape, {s.uniform({4}), s.uniform({1, 2}), s.indices({0, 1})});
  s.refuse(Code::dtype, {s.uniform({4}), s.indices({1}), s.indices({0})});
  s.refuse(Code::dtype, {s.mask({4}), s.mask({1}), s.indices({0})}, box(A{true}));
  s.refuse(Code::dtype, {s.uniform({4}), s.uniform({1}), s.uniform({1})});
  s.refuse(Code::dtype, {s.uniform({4}), s.uniform({0}), to(s.uniform({0}), DType::f32)});
}

// ---- take, masked_select ----

Tensors take_by_index(const OpDef& op, const void*, Inputs in) {
  check_index_dtype(op, in[1]);
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

Tensors masked_select_by_index(const OpDef& op, const void*, Inputs in) {
  const Tensor &x = in[0], &mask = in[1];
  if (mask.dtype() != DType::boolean) {
    refuse(Code::dtype, op, "the mask must be boolean", "boolean", mask.dtype());
  }
  Shape space = broadcast(x.shape(), mask.shape(), op.name);
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

extern constinit const OpDef index_at_def{
    .name = "index",
    .doc = "elements at integer indices and positions of masks",
    .args = kIndexArgs,
    .attrs = &record_of<IndexAttrs>,
    .infer = index_at_infer,
    .kernels = on_every_device(index_at_kernel),
    .scratch = index_at_scratch,
    .vjp = index_back,
    .saves_in = ~uint64_t{1}};
extern constinit const OpDef index_def{
    .name = "index",
    .doc = "advanced indexing: elements selected by index tensors",
    .args = kIndexArgs,
    .compose = index_by_positions,
    .samples = index_samples};
Tensor index(const Tensor& x, Inputs indices) {
  Tensors operands{x};
  for (const Tensor& t : indices) operands.push_back(t);
  return apply_one(index_def, operands);
}

extern constinit const OpDef index_put_at_def{
    .name = "index_put",
    .doc = "values written at integer indices and positions of masks",
    .args = kPutArgs,
    .attrs = &record_of<IndexAttrs>,
    .infer = index_put_at_infer,
    .kernels = on_every_device(index_put_at_kernel),
    .scratch = index_put_at_scratch,
    .vjp = index_put_back,
    .saves_in = ~uint64_t{3}};
extern constinit const OpDef index_put_def{
    .name = "index_put",
    .doc = "copy of x with values written at the elements selected by index tensors",
    .args = kPutArgs,
    .attrs = &record_of<IndexPutAttrs>,
    .compose = index_put_by_positions,
    .samples = index_put_samples};
Tensor index_put(const Tensor& x, Inputs indices, const Tensor& values, bool accumulate) {
  Tensors operands{x, values};
  for (const Tensor& t : indices) operands.push_back(t);
  return apply_one(index_put_def, operands, box(IndexPutAttrs{accumulate}));
}

extern constinit const OpDef take_def{.name = "take",
                                      .doc = "elements at flat (row-major) indices",
                                      .args = kReadArgs,
                                      .compose = take_by_index,
                                      .samples = take_samples};
Tensor take(const Tensor& x, const Tensor& index) { return apply_one(take_def, {x, index}); }

extern constinit const OpDef masked_select_def{
    .name = "masked_select",
    .doc = "1-D tensor of the elements where mask is true",
    .args = kSelectArgs,
    .compose = masked_select_by_index,
    .samples = masked_select_samples};
Tensor masked_select(const Tensor& x, const Tensor& mask) {
  return apply_one(masked_select_def, {x, mask});
}

}  // namespace gyre
