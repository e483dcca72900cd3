// scatter_add and index_add.
#include <cstring>

#include "gyre/base/cpu.h"
#include "gyre/base/thread_pool.h"
#include "gyre/kernel/copy.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/op/op_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/batch_rules.h"
#include "gyre/ops/index/along_index.h"
#include "gyre/ops/index/sums.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {

extern const OpDef add_def;
namespace {

// ---- scatter_add ----

void scatter_add_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  check_summands(op, in[0], in[2]);
  check_scattered(op, attrs_as<AlongAttrs>(attrs).axis, in);
  infer_like_first(op, attrs, in, out);
}

size_t scatter_add_scratch(const void*, Inputs in) {
  return is_half(in[0].dtype()) ? static_cast<size_t>(in[0].numel()) * sizeof(float) : 0;
}

template <class T>
void add_at(const AlongIndex& along) {
  auto* to = reinterpret_cast<SumOf<T>*>(along.lines.data[0]);
  auto* from = reinterpret_cast<const T*>(along.lines.data[1]);
  for_along(along, [=](int64_t t, int64_t f) {
    to[t] = sum_of(to[t], static_cast<SumOf<T>>(value_of(from[f])));
  });
}

Status run_scatter_add(const ScatterPlan& p) noexcept {
  if (Status s = check_indices(p.index); s.failed) return s;
  visit_dtype(p.along.lines.dtype[1], [&](auto t) { add_at<decltype(t)>(p.along); });
  return {};
}

Status scatter_add_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const View &x = args.in[0], &index = args.in[1], &src = args.in[2], &out = args.out[0];
  int axis = axis_of(args.attrs, x.shape);
  View sums = out;
  if (is_half(out.dtype)) {
    sums.data = args.scratch;
    sums.dtype = DType::f32;
    sums.strides = contiguous_strides(out.shape);
  }
  Status s = copy_elements(x, sums);
  if (numel(index.shape) != 0 && !s.failed) {
    const ScatterPlan plan{{index, x.shape.rank ? x.shape[axis] : 1},
                           along_index(sums, src, index, axis)};
    s = launch<run_scatter_add>(op, args, plan);
  }
  return s.failed || sums.data == out.data ? s : copy_elements(sums, out);
}

Tensors scatter_add_back(const VjpArgs& a) {
  const Tensor& g = a.grad[0];
  Tensors r(3);
  if (a.wanted[0]) r[0] = g;
  if (!a.wanted[2]) return r;
  r[2] = filled_up(gather(g, attrs_as<AlongAttrs>(a.attrs).axis, a.in[1]), a.in_meta[2].shape);
  return r;
}

void scatter_add_samples(Samples& s) {
  s.add({s.uniform({3, 4}), s.integers({3, 6}, 0, 4), s.uniform({3, 6})}, box(AlongAttrs{1}));
  s.add({s.uniform({3, 4, 2}), s.integers({5, 2, 2}, 0, 3), s.uniform({5, 4, 2})});
  s.add({s.uniform({4}), s.indices({3, 3, 0}), s.uniform({5})}, box(AlongAttrs{-1}));
  s.add({s.uniform({}), s.integers({}, 0, 1), s.uniform({})});
  s.add({s.uniform({3}), s.integers({0}, 0, 1), s.uniform({2})});
  s.refuse(Code::index, {s.uniform({4}), s.indices({0, 4}), s.uniform({2})});
  s.refuse(Code::index, {s.uniform({4}), s.indices({-1}), s.uniform({1})});
  s.refuse(Code::dtype, {s.uniform({4}), s.uniform({1}), s.uniform({1})});
  s.refuse(Code::dtype, {s.uniform({4}), s.indices({1}), s.indices({1})});
  s.refuse(Code::dtype, {s.mask({4}), s.indices({1}), s.mask({1})});
  s.refuse(Code::shape, {s.uniform({4}), s.indices({1, 2}), s.uniform({1})});
  s.refuse(Code::shape, {s.uniform({2, 2}), s.indices({1, 1}), s.uniform({2, 2})});
}

// ---- index_add ----

void index_add_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  const Shape &x = in[0].shape(), &index = in[1].shape(), &src = in[2].shape();
  check_index_dtype(op, in[1]);
  check_summands(op, in[0], in[2]);
  int axis = normalize_axis(attrs_as<AlongAttrs>(attrs).axis, x.rank, op.name);
  Shape expected = x;
  if (x.rank && index.rank == 1) expected[axis] = index[0];
  if (x.rank == 0 || index.rank != 1 || !(src == expected)) {
    refuse(Code::shape, op,
           {"expected a 1-D index and src ", expected, ", got index ", index, " and src ", src},
           expected, src);
  }
  infer_like_first(op, attrs, in, out);
}

size_t index_add_scratch(const void* attrs, Inputs in) {
  auto targets = static_cast<size_t>(in[0].shape()[axis_of(attrs, in[0].shape())]);
  size_t bytes = (targets + 2 + static_cast<size_t>(in[1].numel())) * sizeof(int64_t);
  if (!in[2].is_contiguous()) bytes += static_cast<size_t>(in[2].numel()) * size_of(in[2].dtype());
  return bytes;
}

void sort_by_target(const IndexAddPlan& p) {
  // Counting sort. next[t] is where the next position of target t goes, and in the end where those
  // of t end, which is where those of t + 1 start.
  const IndexOperand& index = p.index;
  int64_t n = index.size(), *next = p.starts + 1;
  std::memset(p.starts, 0, static_cast<size_t>(p.targets + 2) * sizeof(int64_t));
  for_indices(index, 0, n, [&](const int64_t* v, int64_t, int64_t count) {
    for (int64_t i = 0; i < count; ++i) ++next[v[i] + 1];
  });
  for (int64_t t = 0; t < p.targets; ++t) next[t + 1] += next[t];
  for_indices(index, 0, n, [&](const int64_t* v, int64_t at, int64_t count) {
    for (int64_t i = 0; i < count; ++i) p.order[next[v[i]]++] = at + i;
  });
}

template <class T>
void call_tile(Tile<T> tile, void* sum, const void* summand, int64_t n) {
  const T* in[] = {static_cast<const T*>(sum), static_cast<const T*>(summand)};
  T* out[] = {static_cast<T*>(sum)};
  tile(in, out, n, false);
}

void add_tile(Compute compute, void* sum, const void* summand, int64_t n) {
  const PointwiseTiles& tiles = *add_def.family.pointwise[isa()];
  switch (compute) {
    case Compute::f32:
      return call_tile(tiles.f32.forward, sum, summand, n);
    case Compute::f64:
      return call_tile(tiles.f64.forward, sum, summand, n);
    case Compute::i32:
      return call_tile(tiles.i32, sum, summand, n);
    case Compute::i64:
    case Compute::u64:
      return call_tile(tiles.i64, sum, summand, n);
  }
}

// Columns [first, first + n) of the sums of target t, n <= kTile.
void sum_piece(const IndexAddPlan& p, int64_t o, int64_t t, int64_t first, int64_t n) {
  Compute compute = compute_of(p.dtype);
  auto size = static_cast<int64_t>(size_of(p.dtype));
  Convert load = load_of(p.dtype, compute);
  Convert store = store_of(compute, p.dtype);
  bool direct = p.dtype == dtype_of(compute);
  alignas(64) std::byte sum_buffer[kTile * 8], buffer[kTile * 8];
  std::byte* to = p.out + ((o * p.targets + t) * p.inner + first) * size;
  void* sum = direct ? to : sum_buffer;
  if (!direct) load(to, sum, n);
  for (int64_t k = p.starts[t]; k < p.starts[t + 1]; ++k) {
    const std::byte* from = p.src + ((o * p.sources + p.order[k]) * p.inner + first) * size;
    if (!direct) load(from, buffer, n);
    add_tile(compute, sum, direct ? from : buffer, n);
  }
  if (!direct) store(sum, to, n);
}

Status run_index_add(const IndexAddPlan& p) noexcept {
  if (Status s = check_indices(p.index); s.failed) return s;
  if (p.inner == 0) return {};
  sort_by_target(p);
  int64_t pieces = (p.inner + kTile - 1) / kTile, units = p.outer * p.targets * pieces;
  int64_t chunks = p.outer * p.sources * p.inner / kGrain + 1;
  parallel_for(units, (units + chunks - 1) / chunks, [&](int64_t begin, int64_t end) {
    for (int64_t unit = begin; unit < end; ++unit) {
      int64_t row = unit / pieces, first = unit % pieces * kTile;
      int64_t t = row % p.targets, left = p.inner - first;
      if (p.starts[t] == p.starts[t + 1]) continue;
      sum_piece(p, row / p.targets, t, first, left < kTile ? left : kTile);
    }
  });
  return {};
}

Status index_add_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const View &x = args.in[0], &index = args.in[1], &src = args.in[2], &out = args.out[0];
  int axis = axis_of(args.attrs, x.shape);
  int64_t targets = x.shape[axis], sources = index.shape[0];
  if (Status s = copy_elements(x, out); s.failed) return s;
  auto* memory = reinterpret_cast<int64_t*>(args.scratch);
  View rows = src;
  if (!is_contiguous(src.shape, src.strides)) {
    rows.data = reinterpret_cast<std::byte*>(memory + targets + 2 + sources);
    rows.strides = contiguous_strides(src.shape);
    if (Status s = copy_elements(src, rows); s.failed) return s;
  }
  int64_t outer = 1, inner = numel(src.shape) ? 1 : 0;
  for (int i = 0; i < x.shape.rank && inner; ++i) {
    (i < axis ? outer : inner) *= i == axis ? 1 : x.shape[i];
  }
  const IndexAddPlan plan{{index, targets}, out.data, rows.data, outer,  targets,
                          sources,          inner,    out.dtype, memory, memory + targets + 2};
  return launch<run_index_add>(op, args, plan);
}

Tensors index_add_back(const VjpArgs& a) {
  Tensors r(3);
  if (a.wanted[0]) r[0] = a.grad[0];
  if (a.wanted[2]) r[2] = index_select(a.grad[0], attrs_as<AlongAttrs>(a.attrs).axis, a.in[1]);
  return r;
}

void index_add_samples(Samples& s) {
  s.add({s.uniform({3, 4}), s.indices({2, 0, 2, 2}), s.uniform({4, 4})});
  s.add({s.uniform({2, 3}), s.indices({1}), s.uniform({2, 1})}, box(AlongAttrs{-1}));
  s.add({s.uniform({2, 3, 4}), s.indices({1, 1}), s.uniform({2, 2, 4})}, box(AlongAttrs{1}));
  s.add({s.uniform({3}), s.integers({0}, 0, 1), s.uniform({0})});
  s.refuse(Code::index, {s.uniform({3}), s.indices({3}), s.uniform({1})});
  s.refuse(Code::index, {s.uniform({3}), s.indices({-2}), s.uniform({1})});
  s.refuse(Code::shape, {s.uniform({3}), s.indices({1}), s.uniform({2})});
  s.refuse(Code::shape, {s.uniform({3, 2}), s.indices({1}), s.uniform({1, 3})});
  s.refuse(Code::shape, {s.uniform({}), s.indices({0}), s.uniform({})});
  s.refuse(Code::dtype, {s.uniform({3}), s.indices({1}), s.mask({1})});
  s.refuse(Code::dtype, {s.uniform({3}), s.mask({1}), s.uniform({1})});
}

}  // namespace

extern constinit const OpDef scatter_add_def{
    .name = "scatter_add",
    .doc = "copy of x with src added at index along an axis",
    .args = kWriteArgs,
    .attrs = &record_of<AlongAttrs>,
    .infer = scatter_add_infer,
    .kernels = on_every_device(scatter_add_kernel),
    .scratch = scatter_add_scratch,
    .vjp = scatter_add_back,
    .saves_in = kSavesIndex,
    .batch = batch_along_axes,
    .samples = scatter_add_samples};
Tensor scatter_add(const Tensor& x, int64_t axis, const Tensor& index, const Tensor& src) {
  return apply_one(scatter_add_def, {x, index, src}, box(AlongAttrs{axis}));
}

extern constinit const OpDef index_add_def{
    .name = "index_add",
    .doc = "copy of x with slices of src added to the slices at index along an axis",
    .args = kWriteArgs,
    .attrs = &record_of<AlongAttrs>,
    .infer = index_add_infer,
    .kernels = on_every_device(index_add_kernel),
    .scratch = index_add_scratch,
    .vjp = index_add_back,
    .saves_in = kSavesIndex,
    .batch = batch_along_axes_of_values,
    .samples = index_add_samples};
Tensor index_add(const Tensor& x, int64_t axis, const Tensor& index, const Tensor& src) {
  return apply_one(index_add_def, {x, index, src}, box(AlongAttrs{axis}));
}

}  // namespace gyre
