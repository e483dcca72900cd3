#include "gyre/kernel/copy.h"

#include <cstring>

#include "gyre/base/cpu.h"
#include "gyre/base/thread_pool.h"
#include "gyre/kernel/outer_axes.h"
#include "gyre/kernel/transpose_block.h"
#include "gyre/op/launch.h"

namespace gyre {
namespace {

constexpr int kFrom = 0, kTo = 1;  // operands of the loop

int64_t magnitude(int64_t x) { return x < 0 ? -x : x; }

// Sorts the axes of `to` by descending stride, so that the loop writes in memory order.
bool memory_order(const View& to, int* order) {
  bool changed = false;
  for (int i = 0; i < to.shape.rank; ++i) {
    int j = i;
    for (; j > 0 && magnitude(to.strides[order[j - 1]]) < magnitude(to.strides[i]); --j) {
      order[j] = order[j - 1];
      changed = true;
    }
    order[j] = i;
  }
  return changed;
}

View with_axes(const View& v, const int* order) {
  View r = v;
  for (int i = 0; i < v.shape.rank; ++i) {
    r.shape[i] = v.shape[order[i]];
    r.strides[i] = v.strides[order[i]];
  }
  return r;
}

View broadcast_view(const View& v, const Shape& shape) {
  View r = v;
  r.shape = shape;
  r.strides.rank = shape.rank;
  int shift = shape.rank - v.shape.rank;
  for (int i = 0; i < shape.rank; ++i) {
    r.strides[i] = i < shift || v.shape[i - shift] == 1 ? 0 : v.strides[i - shift];
  }
  return r;
}

StridedLoop loop_over(const View& from, const View& to) {
  View source = broadcast_view(from, to.shape), target = to;
  int order[kMaxRank];
  if (memory_order(to, order)) {
    source = with_axes(source, order);
    target = with_axes(target, order);
  }
  const View* views[] = {&source, &target};
  return StridedLoop(target.shape, views);
}

void copy_bytes(const std::byte* from, std::byte* to, int64_t bytes, bool stream) {
  int64_t whole = stream ? bytes / 64 * 64 : 0;
  if (whole) {
    convert_tiles().stream(from, to, static_cast<size_t>(whole));
    convert_tiles().fence();
  }
  std::memcpy(to + whole, from + whole, static_cast<size_t>(bytes - whole));
}

void copy_linear(const std::byte* from, std::byte* to, int64_t n, int64_t size) {
  auto place = reinterpret_cast<uintptr_t>(from) | reinterpret_cast<uintptr_t>(to);
  bool stream = n * size >= kStreamBytes && place % 64 == 0;
  parallel_for(n, kGrain, [&](int64_t begin, int64_t end) {
    copy_bytes(from + begin * size, to + begin * size, (end - begin) * size, stream);
  });
}

// Fills with the first element by doubling, in steps that fit the L1 cache.
void repeat(const std::byte* from, std::byte* to, int64_t n, int64_t size) {
  constexpr int64_t kMost = 4096;
  int64_t bytes = n * size, done = size;
  std::memcpy(to, from, static_cast<size_t>(size));
  while (done < bytes) {
    int64_t step = done < kMost ? done : kMost;
    if (step > bytes - done) step = bytes - done;
    std::memcpy(to + done, to, static_cast<size_t>(step));
    done += step;
  }
}

// Elements with any strides: gathered into a tile, then scattered.
void copy_strided(const std::byte* from, int64_t from_stride, std::byte* to, int64_t to_stride,
                  int64_t n, int64_t size) {
  const ConvertTiles& tiles = convert_tiles();
  int log2 = log2_of(static_cast<size_t>(size));
  if (to_stride == 1) {
    tiles.gather[log2](from, from_stride, to, n);
    return;
  }
  if (from_stride == 1) {
    tiles.scatter[log2](from, to, to_stride, n);
    return;
  }
  alignas(64) std::byte piece[kTile * 8];
  for (int64_t i = 0; i < n; i += kTile) {
    int64_t m = n - i < kTile ? n - i : kTile;
    tiles.gather[log2](from + i * from_stride * size, from_stride, piece, m);
    tiles.scatter[log2](piece, to + i * to_stride * size, to_stride, m);
  }
}

// Many short rows a constant step apart: copies each position of all rows at once, in ranges that
// fit the L1 cache.
constexpr int64_t kFewColumns = 8;

bool has_few_columns(const StridedLoop& loop) {
  int last = loop.rank - 1;
  if (loop.strides[kFrom][last] == 1 && loop.strides[kTo][last] == 1) return false;
  return last > 0 && loop.dims[last] <= kFewColumns && loop.dims[last - 1] > 4 * kFewColumns;
}

void copy_few_columns(StridedLoop loop, int64_t size) {
  int last = --loop.rank;  // the columns; rows are now the last axis of the loop
  int64_t columns = loop.dims[last], step[2] = {loop.strides[kFrom][last], loop.strides[kTo][last]};
  int64_t from_stride = loop.strides[kFrom][last - 1], to_stride = loop.strides[kTo][last - 1];
  for_rows<2>(loop, [&](const int64_t* offset, int64_t first, int64_t n) {
    for (int64_t i = first; i < first + n; i += kTile) {
      int64_t m = first + n - i < kTile ? first + n - i : kTile;
      for (int64_t c = 0; c < columns; ++c) {
        copy_strided(loop.data[kFrom] + (offset[kFrom] + i * from_stride + c * step[kFrom]) * size,
                     from_stride,
                     loop.data[kTo] + (offset[kTo] + i * to_stride + c * step[kTo]) * size,
                     to_stride, m, size);
      }
    }
  });
}

void copy_rows(const StridedLoop& loop, int64_t size) {
  if (has_few_columns(loop)) return copy_few_columns(loop, size);
  int last = loop.rank - 1;
  int64_t from_stride = loop.strides[kFrom][last], to_stride = loop.strides[kTo][last];
  for_rows<2>(loop, [&](const int64_t* offset, int64_t first, int64_t n) {
    const std::byte* from = loop.data[kFrom] + (offset[kFrom] + first * from_stride) * size;
    std::byte* to = loop.data[kTo] + (offset[kTo] + first * to_stride) * size;
    if (to_stride == 1 && from_stride == 1) {
      std::memcpy(to, from, static_cast<size_t>(n * size));
    } else if (to_stride == 1 && from_stride == 0) {
      repeat(from, to, n, size);
    } else {
      copy_strided(from, from_stride, to, to_stride, n, size);
    }
  });
}

// The axis along which the source is contiguous while the target is so along the last one, or -1.
int transposed_axis(const StridedLoop& loop) {
  constexpr int64_t kLeast = 4;  // smaller blocks are all edges
  int last = loop.rank - 1;
  if (loop.strides[kTo][last] != 1 || loop.strides[kFrom][last] == 1) return -1;
  if (loop.strides[kFrom][last] == 0 || loop.dims[last] < kLeast) return -1;
  for (int i = 0; i < last; ++i) {
    if (loop.strides[kFrom][i] == 1 && loop.dims[i] >= kLeast) return i;
  }
  return -1;
}

void move_axis_before_last(StridedLoop& loop, int axis) {
  for (int i = axis; i < loop.rank - 2; ++i) {
    std::swap(loop.dims[i], loop.dims[i + 1]);
    for (int k : {kFrom, kTo}) std::swap(loop.strides[k][i], loop.strides[k][i + 1]);
  }
}

void copy_transposed(StridedLoop& loop, int axis, int64_t size) {
  move_axis_before_last(loop, axis);
  int last = loop.rank - 1;
  int64_t rows = loop.dims[last - 1], columns = loop.dims[last];
  int64_t block = transpose_block_side(size);
  int64_t across = (columns + block - 1) / block;
  int64_t per_matrix = (rows + block - 1) / block * across;
  int64_t from_stride = loop.strides[kFrom][last], to_stride = loop.strides[kTo][last - 1];
  int64_t grain = kGrain / (block * block);
  bool stream = loop.size() * size >= kStreamBytes;
  parallel_for(outer_count(loop, last - 1) * per_matrix, grain, [&](int64_t begin, int64_t end) {
    OuterAxes<2> outer(loop, last - 1, begin / per_matrix);
    int64_t at = begin % per_matrix;
    for (int64_t unit = begin; unit < end; ++unit) {
      int64_t r = at / across * block, c = at % across * block;
      transpose_block(loop.data[kFrom] + (outer.offset[kFrom] + c * from_stride + r) * size,
                      from_stride * size,
                      loop.data[kTo] + (outer.offset[kTo] + r * to_stride + c) * size,
                      to_stride * size, rows - r < block ? rows - r : block,
                      columns - c < block ? columns - c : block, size, stream);
      if (++at == per_matrix) {
        at = 0;
        outer.next();
      }
    }
    if (stream) convert_tiles().fence();
  });
}

void copy_same(StridedLoop& loop) {
  auto size = static_cast<int64_t>(size_of(loop.dtype[kTo]));
  if (loop.rank == 1 && loop.strides[kFrom][0] == 1 && loop.strides[kTo][0] == 1) {
    copy_linear(loop.data[kFrom], loop.data[kTo], loop.dims[0], size);
  } else if (int axis = transposed_axis(loop); axis >= 0) {
    copy_transposed(loop, axis, size);
  } else {
    copy_rows(loop, size);
  }
}

void convert_range(const StridedLoop& loop, Compute compute, int64_t begin, int64_t end) {
  alignas(64) std::byte buffer[kTile * 8];
  Reader reader(loop, kFrom, compute);
  Writer writer(loop, kTo, compute);
  int64_t row = loop.dims[loop.rank - 1];
  for (int64_t i = begin; i < end;) {
    int64_t n = end - i < kTile ? end - i : kTile;
    if (reader.likes_rows() && row - i % row < n) n = row - i % row;
    // Where the target takes values of the compute type, the source has none to be read in place,
    // so read() fills what it is given.
    writer.commit(i, n, reader.read(i, n, writer.target(i, buffer)));
    i += n;
  }
}

bool is_constant(const View& v) {
  for (int i = 0; i < v.shape.rank; ++i) {
    if (v.shape[i] != 1 && v.strides[i] != 0) return false;
  }
  return true;
}

Status run_fill(const FillPlan& p) noexcept {
  View one;
  one.data = const_cast<std::byte*>(p.element);
  one.dtype = p.to.dtype;
  StridedLoop loop = loop_over(one, p.to);
  copy_same(loop);
  return {};
}

void convert_one(const View& from, DType to, void* result) {
  const ConvertTiles& tiles = convert_tiles();
  Compute compute = compute_of(from.dtype);
  alignas(8) std::byte value[8];
  tiles.load[static_cast<int>(from.dtype)][static_cast<int>(compute)](from.data, value, 1);
  tiles.store[static_cast<int>(compute)][static_cast<int>(to)](value, result, 1);
}

Status run_copy(const CopyPlan& p) noexcept {
  const auto& [from, to] = p;
  if (from.dtype == to.dtype) {
    StridedLoop loop = loop_over(from, to);
    copy_same(loop);
  } else if (is_constant(from)) {
    FillPlan fill{to, {}};
    convert_one(from, to.dtype, fill.element);
    return run_fill(fill);
  } else {
    // Every dtype is held exactly by the type it is computed in, so only the second step rounds.
    StridedLoop loop = loop_over(from, to);
    Compute compute = compute_of(from.dtype);
    parallel_for(loop.size(), kGrain,
                 [&](int64_t begin, int64_t end) { convert_range(loop, compute, begin, end); });
  }
  return {};
}

constexpr Arg kCopied[] = {{"values"}};
constexpr const char* kOverwritten[] = {"x"};
constexpr OpDef kFill{.name = "fill_", .args = {}, .outputs = kOverwritten, .writes = true};

}  // namespace

Status copy_kernel(const OpDef&, const KernelArgs& args) noexcept {
  return copy_elements(args.in[0], args.out[0]);
}

constinit const OpDef copy_def{.name = "copy_",
                               .doc = "overwrite x with values, broadcast and cast to it",
                               .args = kCopied,
                               .outputs = kOverwritten,
                               .kernels = on_every_device(copy_kernel),
                               .writes = true,
                               .crosses_devices = true};

Status copy_elements(const View& from, const View& to) {
  isa();  // an unavailable GYRE_ISA throws here, before anything is written
  if (numel(to.shape) == 0) return {};
  const Device device = to.device.kind == Device::cpu ? from.device : to.device;
  return launch<run_copy>(copy_def, {.device = device}, CopyPlan{from, to});
}

size_t dense_bytes(const View& v, DType dtype) {
  if (v.dtype == dtype && is_contiguous(v.shape, v.strides)) return 0;
  return (static_cast<size_t>(numel(v.shape)) * size_of(dtype) + 63) / 64 * 64;
}

Status make_dense(View& v, DType dtype, std::byte*& memory) {
  if (v.dtype == dtype && is_contiguous(v.shape, v.strides)) return {};
  const View from = v;
  v = {memory, from.shape, contiguous_strides(from.shape), dtype, from.device};
  memory += dense_bytes(from, dtype);
  return copy_elements(from, v);
}

View memory_of(const Tensor& t) {
  if (!t.plain()) return view_of(t);  // which throws
  return View(t, RunsKernels());
}

Status fill_elements(const View& to, const void* element) {
  isa();
  if (numel(to.shape) == 0) return {};
  FillPlan plan{to, {}};
  std::memcpy(plan.element, element, size_of(to.dtype));
  return launch<run_fill>(kFill, {.device = to.device}, plan);
}

Status zero_elements(const View& to) {
  alignas(8) static constexpr std::byte kZero[8] = {};
  return fill_elements(to, kZero);
}

View slice_of(const View& v, int axis, int64_t start, int64_t step, int64_t count) {
  View r = v;
  r.shape[axis] = count;
  r.data += start * v.strides[axis] * static_cast<int64_t>(size_of(v.dtype));
  r.strides[axis] *= step;
  return r;
}

View reversed(const View& v, int axis) {
  View r = slice_of(v, axis, v.shape[axis] - 1, 1, v.shape[axis]);
  r.strides[axis] = -r.strides[axis];
  return r;
}

}  // namespace gyre
