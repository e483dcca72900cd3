// Ops that add at indices: scatter_add, index_add.
#include <bit>
#include <cstring>
#include <type_traits>

#include "gyre/base/cpu.h"
#include "gyre/base/thread_pool.h"
#include "gyre/kernel/copy.h"
#include "gyre/kernel/outer_axes.h"
#include "gyre/op/apply.h"
#include "gyre/op/samples.h"
#include "gyre/ops/define_op.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/index/indices.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {

extern const OpDef add_def;
#define OP(name) extern const OpDef name##_def;
#include "gyre/ops/index/index.def"
#undef OP

namespace {

constexpr Arg kAddArgs[] = {{"x"}, {"index", false, false, false}, {"src"}};
constexpr uint64_t kSavesIndex = 1 << 1;

void check_summands(const OpDef& op, const Tensor& x, const Tensor& src) {
  if (x.dtype() != src.dtype() || x.dtype() == DType::boolean) {
    refuse(Code::dtype, op,
           std::string("adds numbers of one dtype, got ") + name_of(x.dtype()) + " and " +
               name_of(src.dtype()),
           name_of(x.dtype()), name_of(src.dtype()));
  }
}

bool is_half(DType d) { return d == DType::f16 || d == DType::bf16; }

// ---- scatter_add ----

void scatter_add_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  const Shape &x = in[0].shape(), &index = in[1].shape(), &src = in[2].shape();
  check_index_dtype(op, in[1]);
  check_summands(op, in[0], in[2]);
  int axis = normalize_axis(attrs_as<AlongAttrs>(attrs).axis, x.rank, op.name);
  bool fits = x.rank == index.rank && x.rank == src.rank;
  for (int i = 0; fits && i < x.rank; ++i) {
    fits = index[i] <= src[i] && (i == axis || index[i] <= x[i]);
  }
  if (!fits) {
    refuse(Code::shape, op,
           "index " + to_string(index) + " is longer than src " + to_string(src) + " or x " +
               to_string(x) + ", or of another rank",
           to_string(src), to_string(index));
  }
  out[0].shape = x;
  out[0].dtype = in[0].dtype();
}

size_t scatter_add_scratch(const void*, Inputs in) {
  return is_half(in[0].dtype()) ? static_cast<size_t>(in[0].numel()) * sizeof(float) : 0;
}

float value_of(f16 x) { return to_float(x); }
float value_of(bf16 x) { return to_float(x); }
template <class T>
T value_of(T x) {
  return x;
}

template <class T>
T sum_of(T a, T b) {
  if constexpr (std::is_same_v<T, bool>) {
    return a || b;
  } else if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;  // wraps
    return static_cast<T>(static_cast<U>(static_cast<U>(a) + static_cast<U>(b)));
  } else {
    return a + b;
  }
}

// The lines along the axis do not meet, so they are what is shared out to threads. Operands of
// `lines` are out, src and index without the axis; their steps along it are in `step`.
template <class T, class Sum, class I>
void add_lines(const StridedLoop& lines, const int64_t (&step)[3], int64_t length) {
  auto* out = reinterpret_cast<Sum*>(lines.data[0]);
  auto* src = reinterpret_cast<const T*>(lines.data[1]);
  auto* index = reinterpret_cast<const I*>(lines.data[2]);
  int last = lines.rank - 1;
  int64_t so = lines.strides[0][last], ss = lines.strides[1][last], si = lines.strides[2][last];
  auto add = [&](int64_t o, int64_t s, int64_t i) {
    Sum& to = out[o + static_cast<int64_t>(index[i]) * step[0]];
    to = sum_of(to, static_cast<Sum>(value_of(src[s])));
  };
  int64_t row = lines.dims[last], work = length ? length : 1;
  int64_t per_chunk = kGrain / work > 0 ? kGrain / work : 1;
  int64_t piece = row < per_chunk ? row : per_chunk, pieces = (row + piece - 1) / piece;
  int64_t grain = per_chunk / piece > 0 ? per_chunk / piece : 1;
  parallel_for(outer_count(lines, last) * pieces, grain, [&](int64_t begin, int64_t end) {
    for (int64_t unit = begin; unit < end; ++unit) {
      OuterAxes<3> at(lines, last, unit / pieces);
      const int64_t* o = at.offset;
      int64_t first = unit % pieces * piece, stop = first + piece < row ? first + piece : row;
      if (step[2] == 1) {
        for (int64_t j = first; j < stop; ++j) {
          for (int64_t k = 0; k < length; ++k) {
            add(o[0] + j * so, o[1] + j * ss + k * step[1], o[2] + j * si + k);
          }
        }
      } else {
        for (int64_t k = 0; k < length; ++k) {
          for (int64_t j = first; j < stop; ++j) {
            add(o[0] + j * so, o[1] + j * ss + k * step[1], o[2] + j * si + k * step[2]);
          }
        }
      }
    }
  });
}

template <class T, class Sum>
void add_at(const View& sums, const View& src, const View& index, int axis) {
  View parts[3] = {sums, src, index};
  int64_t step[3] = {}, length = 1;
  Shape space = index.shape;
  if (space.rank) {
    length = space[axis];
    space[axis] = 1;
    for (int k = 0; k < 3; ++k) step[k] = parts[k].strides[axis];
  }
  for (View& v : parts) v.shape = space;
  const View* views[] = {&parts[0], &parts[1], &parts[2]};
  StridedLoop lines(space, views);
  if (index.dtype == DType::i32) {
    add_lines<T, Sum, int32_t>(lines, step, length);
  } else {
    add_lines<T, Sum, int64_t>(lines, step, length);
  }
}

Status scatter_add_cpu(const OpDef&, const KernelArgs& args) noexcept {
  const View &x = args.in[0], &index = args.in[1], &src = args.in[2], &out = args.out[0];
  int axis = axis_of(args.attrs, x.shape);
  if (Status s = check_indices(index, x.shape.rank ? x.shape[axis] : 1); s.failed) return s;
  View sums = out;
  if (is_half(out.dtype)) {
    sums.data = args.scratch;
    sums.dtype = DType::f32;
    sums.strides = contiguous_strides(out.shape);
  }
  copy_elements(x, sums);
  if (numel(index.shape) == 0) {
    if (sums.data != out.data) copy_elements(sums, out);
    return {};
  }
  switch (out.dtype) {
#define X(name, type, kind)                                           \
  case DType::name:                                                   \
    add_at<type, decltype(value_of(type()))>(sums, src, index, axis); \
    break;
    GYRE_DTYPES(X)
#undef X
  }
  if (sums.data != out.data) copy_elements(sums, out);
  return {};
}

Tensors scatter_add_back(const VjpArgs& a) {
  const Tensor& g = a.grad[0];
  Tensors r(3);
  if (a.wanted[0]) r[0] = g;
  if (!a.wanted[2]) return r;
  Tensor gs = gather(g, attrs_as<AlongAttrs>(a.attrs).axis, a.in[1]);
  const Shape& src = a.in_meta[2].shape;
  for (int i = 0; i < src.rank; ++i) {
    if (gs.shape()[i] < src[i]) gs = embed(gs, {i, 0, 1, src[i]});
  }
  r[2] = gs;
  return r;
}

void scatter_add_samples(Samples& s) {
  s.add({s.uniform({3, 4}), s.integers({3, 6}, 0, 4), s.uniform({3, 6})}, box(AlongAttrs{1}));
  s.add({s.uniform({3, 4, 2}), s.integers({5, 2, 2}, 0, 3), s.uniform({5, 4, 2})},
        box(AlongAttrs{0}));
  s.add({s.uniform({4}), s.indices({3, 3, 0}), s.uniform({5})}, box(AlongAttrs{-1}));
  s.add({s.uniform({}), s.integers({}, 0, 1), s.uniform({})}, box(AlongAttrs{0}));
  s.add({s.uniform({3}), s.integers({0}, 0, 1), s.uniform({2})}, box(AlongAttrs{0}));
  s.refuse(Code::index, {s.uniform({4}), s.indices({0, 4}), s.uniform({2})}, box(AlongAttrs{0}));
  s.refuse(Code::index, {s.uniform({4}), s.indices({-1}), s.uniform({1})}, box(AlongAttrs{0}));
  s.refuse(Code::dtype, {s.uniform({4}), s.uniform({1}), s.uniform({1})}, box(AlongAttrs{0}));
  s.refuse(Code::dtype, {s.uniform({4}), s.indices({1}), s.indices({1})}, box(AlongAttrs{0}));
  s.refuse(Code::dtype, {s.mask({4}), s.indices({1}), s.mask({1})}, box(AlongAttrs{0}));
  s.refuse(Code::shape, {s.uniform({4}), s.indices({1, 2}), s.uniform({1})}, box(AlongAttrs{0}));
  s.refuse(Code::shape, {s.uniform({2, 2}), s.indices({1, 1}), s.uniform({2, 2})},
           box(AlongAttrs{0}));
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
           "src " + to_string(src) + " with index " + to_string(index) + " does not fit x " +
               to_string(x),
           to_string(expected), to_string(src));
  }
  out[0].shape = x;
  out[0].dtype = in[0].dtype();
}

// Positions of the index in the order of their targets, equal ones in their own order: `order` from
// starts[t] to starts[t + 1] holds those of target t.
struct Sorted {
  int64_t *starts, *order;
};

size_t index_add_scratch(const void* attrs, Inputs in) {
  auto targets = static_cast<size_t>(in[0].shape()[axis_of(attrs, in[0].shape())]);
  size_t bytes = (targets + 2 + static_cast<size_t>(in[1].numel())) * sizeof(int64_t);
  if (!in[2].is_contiguous()) bytes += static_cast<size_t>(in[2].numel()) * size_of(in[2].dtype());
  return bytes;
}

Sorted sort_by_target(const View& index, int64_t targets, int64_t* memory) {
  // Counting sort. next[t] is where the next position of target t goes, and in the end where those
  // of t end, which is where those of t + 1 start.
  Sorted s{memory, memory + targets + 2};
  int64_t n = numel(index.shape);
  int64_t* next = s.starts + 1;
  std::memset(s.starts, 0, static_cast<size_t>(targets + 2) * sizeof(int64_t));
  for_indices(index, 0, n, [&](const int64_t* v, int64_t, int64_t count) {
    for (int64_t i = 0; i < count; ++i) ++next[v[i] + 1];
  });
  for (int64_t t = 0; t < targets; ++t) next[t + 1] += next[t];
  for_indices(index, 0, n, [&](const int64_t* v, int64_t at, int64_t count) {
    for (int64_t i = 0; i < count; ++i) s.order[next[v[i]]++] = at + i;
  });
  return s;
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
      return call_tile(tiles.i64, sum, summand, n);
  }
}

// out[o][t][:] += src[o][j][:] for the positions j of target t, columns in pieces of a tile.
struct SliceSums {
  std::byte* out;
  const std::byte* src;
  int64_t outer, targets, sources, inner;
  DType dtype;
  Sorted sorted;

  // Units for one thread to take at a time; any answer is right.
  int64_t grain(int64_t units) const {
    int64_t chunks = outer * sources * inner / kGrain + 1;
    return (units + chunks - 1) / chunks;
  }

  void run() const {
    int64_t pieces = (inner + kTile - 1) / kTile;
    int64_t units = outer * targets * pieces;
    parallel_for(units, grain(units), [&](int64_t begin, int64_t end) {
      for (int64_t unit = begin; unit < end; ++unit) {
        int64_t row = unit / pieces, first = unit % pieces * kTile;
        int64_t t = row % targets;
        if (sorted.starts[t] == sorted.starts[t + 1]) continue;
        sum_piece(row / targets, t, first, inner - first < kTile ? inner - first : kTile);
      }
    });
  }

  void sum_piece(int64_t o, int64_t t, int64_t first, int64_t n) const {
    const ConvertTiles& moves = convert_tiles();
    Compute compute = compute_of(dtype);
    auto size = static_cast<int64_t>(size_of(dtype));
    Convert load = moves.load[static_cast<int>(dtype)][static_cast<int>(compute)];
    Convert store = moves.store[static_cast<int>(compute)][static_cast<int>(dtype)];
    bool direct = dtype == dtype_of(compute);
    alignas(64) std::byte sum_buffer[kTile * 8], buffer[kTile * 8];
    std::byte* to = out + ((o * targets + t) * inner + first) * size;
    void* sum = direct ? to : sum_buffer;
    if (!direct) load(to, sum, n);
    for (int64_t k = sorted.starts[t]; k < sorted.starts[t + 1]; ++k) {
      const std::byte* from = src + ((o * sources + sorted.order[k]) * inner + first) * size;
      if (!direct) load(from, buffer, n);
      add_tile(compute, sum, direct ? from : buffer, n);
    }
    if (!direct) store(sum, to, n);
  }
};

Status index_add_cpu(const OpDef&, const KernelArgs& args) noexcept {
  const View &x = args.in[0], &index = args.in[1], &src = args.in[2], &out = args.out[0];
  int axis = axis_of(args.attrs, x.shape);
  int64_t targets = x.shape[axis], sources = index.shape[0];
  if (Status s = check_indices(index, targets); s.failed) return s;
  copy_elements(x, out);
  if (numel(src.shape) == 0) return {};
  auto* memory = reinterpret_cast<int64_t*>(args.scratch);
  View rows = src;
  if (!is_contiguous(src.shape, src.strides)) {
    rows.data = reinterpret_cast<std::byte*>(memory + targets + 2 + sources);
    rows.strides = contiguous_strides(src.shape);
    copy_elements(src, rows);
  }
  int64_t outer = 1, inner = 1;
  for (int i = 0; i < x.shape.rank; ++i) (i < axis ? outer : inner) *= i == axis ? 1 : x.shape[i];
  SliceSums sums{out.data, rows.data, outer,     targets,
                 sources,  inner,     out.dtype, sort_by_target(index, targets, memory)};
  sums.run();
  return {};
}

Tensors index_add_back(const VjpArgs& a) {
  Tensors r(3);
  if (a.wanted[0]) r[0] = a.grad[0];
  if (a.wanted[2]) r[2] = index_select(a.grad[0], attrs_as<AlongAttrs>(a.attrs).axis, a.in[1]);
  return r;
}

void index_add_samples(Samples& s) {
  s.add({s.uniform({3, 4}), s.indices({2, 0, 2, 2}), s.uniform({4, 4})}, box(AlongAttrs{0}));
  s.add({s.uniform({2, 3}), s.indices({1}), s.uniform({2, 1})}, box(AlongAttrs{-1}));
  s.add({s.uniform({2, 3, 4}), s.indices({1, 1}), s.uniform({2, 2, 4})}, box(AlongAttrs{1}));
  s.add({s.uniform({3}), s.integers({0}, 0, 1), s.uniform({0})}, box(AlongAttrs{0}));
  s.refuse(Code::index, {s.uniform({3}), s.indices({3}), s.uniform({1})}, box(AlongAttrs{0}));
  s.refuse(Code::index, {s.uniform({3}), s.indices({-2}), s.uniform({1})}, box(AlongAttrs{0}));
  s.refuse(Code::shape, {s.uniform({3}), s.indices({1}), s.uniform({2})}, box(AlongAttrs{0}));
  s.refuse(Code::shape, {s.uniform({3, 2}), s.indices({1}), s.uniform({1, 3})}, box(AlongAttrs{0}));
  s.refuse(Code::shape, {s.uniform({}), s.indices({0}), s.uniform({})}, box(AlongAttrs{0}));
  s.refuse(Code::dtype, {s.uniform({3}), s.indices({1}), s.mask({1})}, box(AlongAttrs{0}));
  s.refuse(Code::dtype, {s.uniform({3}), s.mask({1}), s.uniform({1})}, box(AlongAttrs{0}));
}

}  // namespace

constinit const OpDef scatter_add_def = [] {
  OpDef d = define_op("scatter_add", "x with src added at an index along an axis",
                      &record_of<AlongAttrs>, kAddArgs);
  d.infer = scatter_add_infer;
  d.kernels[Device::cpu] = scatter_add_cpu;
  d.scratch = scatter_add_scratch;
  d.vjp = scatter_add_back;
  d.saves_in = kSavesIndex;
  d.samples = scatter_add_samples;
  return d;
}();
Tensor scatter_add(const Tensor& x, int64_t axis, const Tensor& index, const Tensor& src) {
  return apply_one(scatter_add_def, {x, index, src}, box(AlongAttrs{axis}));
}

constinit const OpDef index_add_def = [] {
  OpDef d = define_op("index_add", "x with slices of src added to the slices that an index names",
                      &record_of<AlongAttrs>, kAddArgs);
  d.infer = index_add_infer;
  d.kernels[Device::cpu] = index_add_cpu;
  d.scratch = index_add_scratch;
  d.vjp = index_add_back;
  d.saves_in = kSavesIndex;
  d.samples = index_add_samples;
  return d;
}();
Tensor index_add(const Tensor& x, int64_t axis, const Tensor& index, const Tensor& src) {
  return apply_one(index_add_def, {x, index, src}, box(AlongAttrs{axis}));
}

}  // namespace gyre
