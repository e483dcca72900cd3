#include <cstring>

#include "gyre/base/cpu.h"
#include "gyre/base/thread_pool.h"
#include "gyre/kernel/row_job.h"
#include "gyre/kernel/rowwise.h"
#include "gyre/op/apply.h"

namespace gyre {
namespace {

// Rows are summed in at most this many chunks where an input is shared by all rows.
constexpr int64_t kMostChunks = 32;

// An input that many rows share gets its gradient summed here rather than written for each: at
// least so many rows where it has several rows itself, so that the chunks' sums take less memory.
constexpr int64_t kLeastSharing = 2 * kMostChunks;

// Gradient of a row input that rows share: f64 sums for each chunk of rows, the axis last.
struct SharedSum {
  Tensor sums;  // [chunks, elements of the input]
  double* row(int64_t chunk, int64_t offset) const {
    return sums.defined() ? sums.data<double>() + chunk * sums.shape()[1] + offset : nullptr;
  }
};

template <class T>
struct Gradient {
  const RowJob& job;
  const RowwiseTiles& tiles;
  const RowSpec& q;
  // operands: row inputs, cotangents of row outputs, gradients of row inputs, then per row:
  // inputs, cotangents of out scalars, saved anchor and sums, gradients of inputs
  const int g0, out0, number0;
  SharedSum shared[kRowNumbers];
  bool wanted[kRowNumbers];

  Gradient(const RowJob& j, const RowwiseTiles& t)
      : job(j),
        tiles(t),
        q(j.spec),
        g0(q.rows),
        out0(q.rows + q.out_rows),
        number0(2 * q.rows + q.out_rows) {}

  // Only what the stages read is set: clearing all of it would cost as much as a short row.
  void begin_row(RowState& s, int64_t row) const {
    s.attrs = job.attrs;
    s.length = static_cast<double>(job.walk.length);
    s.kept = nullptr;
    for (int k = 0; k < out0; ++k) s.ahead[k] = job.ahead(k, row);
    for (int j = 0; j < q.coefs; ++j) s.grad_coefs[j] = 0;
    for (int j = 0; j < q.scalars; ++j) s.grad_scalars[j] = 0;
    int k = number0, anchor = q.anchored ? 1 : 0;
    for (int j = 0; j < q.scalars; ++j) {
      s.scalars[anchor + j] = job.number(k++, row, job.absent_input(q.rows + j));
    }
    for (int j = 0; j < q.out_scalars; ++j) s.grad_coefs[j] = job.number(k++, row);
    if (anchor) s.scalars[0] = job.number(k++, row);
    for (int m = 0; m < q.sums; ++m) {
      s.rests[m] = 0;
      s.sums[m] = q.exact ? 0 : job.number(k++, row);
    }
  }

  template <class F>
  void pieces(int64_t row, F f) const {
    alignas(64) T buffers[2 * kRowNumbers][kRowPiece];
    int64_t offsets[2 * kRowNumbers];
    for (int k = 0; k < out0; ++k) offsets[k] = job.walk.offset(k, row);
    for (int64_t i = 0; i < job.walk.length; i += kRowPiece) {
      int64_t n = job.walk.length - i < kRowPiece ? job.walk.length - i : kRowPiece;
      const T* in[2 * kRowNumbers];
      for (int k = 0; k < out0; ++k) {
        in[k] = static_cast<const T*>(job.read(k, offsets[k], i, n, buffers[k]));
      }
      f(in + g0, in, i, n);
    }
  }

  void whole_row(int64_t row, int64_t chunk) const {
    const RowStages<T>& stages = RowTilesOf<T>::stages(tiles);
    RowState s;
    begin_row(s, row);
    if (q.exact && q.sums) {
      pieces(row, [&](const T* const*, const T* const* in, int64_t i, int64_t n) {
        stages.reduce(s, in, i, n, nullptr);
      });
    }
    stages.finish(s);
    if (q.out_rows) {
      pieces(row, [&](const T* const* g, const T* const* in, int64_t i, int64_t n) {
        stages.grad_coefs(s, g, in, i, n);
      });
    }
    stages.grad_finish(s);
    alignas(64) T buffers[kRowNumbers][kRowPiece];
    int64_t offsets[kRowNumbers];
    for (int j = 0; j < q.rows; ++j) offsets[j] = job.walk.offset(out0 + j, row);
    pieces(row, [&](const T* const* g, const T* const* in, int64_t i, int64_t n) {
      RowGradient<T> to[kRowNumbers];
      for (int j = 0; j < q.rows; ++j) {
        to[j] = {};
        if (!wanted[j]) continue;
        if (double* sums = shared[j].row(chunk, offsets[j])) {
          to[j].sums = sums + i;
        } else {
          to[j].out = static_cast<T*>(job.target(out0 + j, offsets[j], i, buffers[j]));
          to[j].past_caches = job.past_caches(out0 + j, to[j].out);
        }
      }
      stages.grad_map(s, g, in, to, i, n);
      for (int j = 0; j < q.rows; ++j) {
        if (to[j].out) job.commit(out0 + j, offsets[j], i, n, to[j].out);
      }
    });
    int k = number0 + q.scalars + q.out_scalars + q.hidden();
    for (int j = 0; j < q.scalars; ++j) {
      job.set_number(k++, row, s.grad_scalars[j]);
    }
  }

  /// True when all row operands that take part go into the tile for rows along memory.
  bool along() const {
    bool all = RowTilesOf<T>::along(tiles).rows && job.along(0, out0);
    for (int j = 0; j < q.rows; ++j) {
      if (wanted[j]) all = all && !shared[j].sums.defined() && job.along(out0 + j, out0 + j + 1);
    }
    return all;
  }

  // As many rows as a tile takes at once, along memory as they are or side by side.
  void together(const RowsTile<T>& tile, bool along, int64_t first_row, int64_t chunk) const {
    const int rows = tile.rows;
    const int64_t cell = along ? 0 : job.walk.length * rows;
    const int numbers = 2 * q.scalars + q.out_scalars + q.hidden();
    size_t tile_bytes = static_cast<size_t>(cell * (out0 + q.rows)) * sizeof(T);
    std::byte* scratch =
        thread_scratch(tile_bytes + (kRowPiece + static_cast<size_t>(numbers * rows)) * 8);
    T* room = reinterpret_cast<T*>(scratch);
    double* line = reinterpret_cast<double*>(scratch + tile_bytes);
    double* number = line + kRowPiece;
    const T* in[2 * kRowNumbers];
    T* out[kRowNumbers];
    int64_t in_stride[2 * kRowNumbers], out_stride[kRowNumbers];
    bool past_caches = along;
    for (int k = 0; k < out0; ++k, room += cell) {
      in[k] = static_cast<const T*>(
          along ? job.row_in_place(k, first_row, in_stride[k])
                : job.read_lanes(k, first_row, rows, room, line, in_stride[k]));
    }
    for (int j = 0; j < q.rows; ++j, room += cell) {
      out_stride[j] = rows;
      out[j] = room;
      if (!wanted[j]) {
        out[j] = nullptr;
      } else if (along) {
        past_caches = past_caches && job.rows_past_caches(out0 + j);
        out[j] = reinterpret_cast<T*>(job.row_in_place(out0 + j, first_row, out_stride[j]));
      } else if (!shared[j].sums.defined()) {
        out[j] = static_cast<T*>(job.target_lanes(out0 + j, first_row, rows, room, out_stride[j]));
      }
    }
    const double* given[3 * kRowNumbers];
    double* results[kRowNumbers];
    int known = q.scalars + q.out_scalars + q.hidden();
    for (int j = 0; j < known; ++j, number += rows) {
      double absent = j < q.scalars ? job.absent_input(q.rows + j) : 0;
      job.numbers(number0 + j, first_row, rows, absent, number);
      given[j] = number;
    }
    for (int j = 0; j < q.scalars; ++j, number += rows) {
      results[j] = job.walk.operand[number0 + known + j].data ? number : nullptr;
    }
    tile.gradient({job.attrs, job.walk.length, job.rows_left(first_row, rows), in, in_stride, out,
                   out_stride, past_caches, given, results, in + g0, in_stride + g0,
                   given + q.scalars, given + q.scalars + q.out_scalars});
    for (int j = 0; j < q.rows && !along; ++j) {
      if (!out[j]) continue;
      if (shared[j].sums.defined()) {
        sum_lanes(j, chunk, out[j], first_row, rows);
      } else {
        job.commit_lanes(out0 + j, first_row, rows, out[j], line);
      }
    }
    for (int j = 0; j < q.scalars; ++j) {
      job.set_numbers(number0 + known + j, first_row, rows, results[j]);
    }
  }

  void sum_lanes(int j, int64_t chunk, const T* x, int64_t first_row, int lanes) const {
    int64_t valid = job.rows_left(first_row, lanes);
    for (int64_t l = 0; l < valid; ++l) {
      double* sums = shared[j].row(chunk, job.walk.offset(out0 + j, first_row + l));
      for (int64_t i = 0; i < job.walk.length; ++i)
        sums[i] += static_cast<double>(x[i * lanes + l]);
    }
  }
};

// True when a row input has the row's axis and is shared by all rows, or each of its rows by many.
bool shared_by_rows(const Tensor& t, const Shape& space, int axis) {
  int place = axis - (space.rank - t.rank());
  if (place < 0 || t.shape()[place] != space[axis] || t.numel() == 0) return false;
  if (t.numel() == space[axis]) return numel(space) > t.numel();
  return numel(space) / t.numel() >= kLeastSharing;
}

// Strides of elements that lie with the axis last.
Shape axis_last(const Shape& shape, int axis) {
  Shape strides = shape;
  int64_t step = shape[axis];
  strides[axis] = 1;
  for (int i = shape.rank; i-- > 0;) {
    if (i == axis) continue;
    strides[i] = step;
    step *= shape[i];
  }
  return strides;
}

template <class T>
void run_gradient(RowJob& job, Gradient<T>& gradient, int64_t chunk_rows, bool across) {
  int64_t chunks = (job.walk.rows + chunk_rows - 1) / chunk_rows;
  bool along = gradient.along();
  const RowsTile<T>& tile =
      along ? RowTilesOf<T>::along(gradient.tiles) : RowTilesOf<T>::across(gradient.tiles);
  job.stream = (along || !across) &&
               job.walk.rows * job.walk.length * static_cast<int64_t>(sizeof(T)) >= kStreamBytes;
  parallel_for(chunks, 1, [&](int64_t chunk, int64_t) {
    int64_t begin = chunk * chunk_rows, end = begin + chunk_rows;
    if (end > job.walk.rows) end = job.walk.rows;
    if (along || across) {
      for (int64_t r = begin; r < end; r += tile.rows) gradient.together(tile, along, r, chunk);
    } else {
      for (int64_t r = begin; r < end; ++r) gradient.whole_row(r, chunk);
    }
    if (job.stream) convert_tiles().fence();
  });
}

Tensor join_chunks(const Tensor& sums, const Tensor& like, int axis) {
  int64_t chunks = sums.shape()[0], length = sums.shape()[1];
  double* total = sums.data<double>();
  for (int64_t c = 1; c < chunks; ++c) {
    convert_tiles().accumulate(total + c * length, total, length);
  }
  Tensor g = empty(like.shape(), like.dtype(), like.device());
  convert_tiles().store[static_cast<int>(Compute::f64)][static_cast<int>(like.dtype())](
      total, g.bytes(), length);
  return make_view(g, like.shape(), axis_last(like.shape(), axis), 0);
}

template <class T>
Tensors gradients(const VjpArgs& a, RowJob& job, int axis, const Shape& space, DType dtype) {
  const RowSpec& q = job.spec;
  Gradient<T> gradient(job, *a.op.family.rowwise[isa()]);
  Tensors result(a.in.size()), keep;
  auto number_shape = space;
  number_shape.rank = 0;
  for (int i = 0; i < space.rank; ++i) {
    if (i != axis) number_shape.push_back(space[i]);
  }
  for (int j = 0; j < q.rows; ++j) job.walk.add_row(view_of(a.in[static_cast<size_t>(j)]));
  for (int o = 0; o < q.out_rows; ++o) {
    Tensor g = a.grad[static_cast<size_t>(o)];
    if (!g.defined()) {
      g = empty(Shape{}, dtype);
      std::memset(g.bytes(), 0, size_of(dtype));
    }
    keep.push_back(g);
    job.walk.add_row(view_of(g));
  }
  int64_t grain = kGrain / 4 / (job.walk.length ? job.walk.length : 1);
  int64_t chunk_rows = (job.walk.rows + kMostChunks - 1) / kMostChunks;
  if (chunk_rows < grain) chunk_rows = grain;
  chunk_rows = (chunk_rows + kMostTogether - 1) / kMostTogether * kMostTogether;
  int64_t chunks = (job.walk.rows + chunk_rows - 1) / chunk_rows;
  for (int j = 0; j < q.rows; ++j) {
    auto at = static_cast<size_t>(j);
    gradient.wanted[j] = a.wanted[at];
    View view;
    if (a.wanted[at] && shared_by_rows(a.in[at], space, axis)) {
      const Shape& own = a.in[at].shape();
      Tensor sums = empty(Shape{chunks, numel(own)}, DType::f64);
      std::memset(sums.bytes(), 0, static_cast<size_t>(sums.numel()) * 8);
      gradient.shared[j].sums = sums;
      if (numel(own) > space[axis]) {
        view = View(sums.bytes(), own, axis_last(own, axis - (space.rank - own.rank)), DType::f64);
      }
    } else if (a.wanted[at]) {
      result[at] = empty(space, dtype);
      view = view_of(result[at]);
    }
    job.walk.add_row(view);
  }
  bool across = job.walk.length <= kShortRow;
  for (size_t i = static_cast<size_t>(q.rows); i < a.in.size(); ++i) {
    job.walk.add_number(view_of(a.in[i]));
  }
  for (int j = 0; j < q.out_scalars; ++j) {
    Tensor g = a.grad[static_cast<size_t>(q.out_rows + j)];
    View v = view_of(g);
    if (g.defined() && v.shape.rank == space.rank && space.rank) {
      Shape shape, strides;
      for (int i = 0; i < space.rank; ++i) {
        if (i == axis) continue;
        shape.push_back(v.shape[i]);
        strides.push_back(v.strides[i]);
      }
      v.shape = shape;
      v.strides = strides;
    }
    job.walk.add_number(v);
  }
  for (int j = 0; j < q.hidden(); ++j) {
    job.walk.add_number(view_of(a.out[static_cast<size_t>(a.op.visible + j)]));
  }
  for (size_t i = static_cast<size_t>(q.rows); i < a.in.size(); ++i) {
    View view;
    if (a.wanted[i]) {
      result[i] = empty(number_shape, DType::f64);
      view = view_of(result[i]);
    }
    job.walk.add_number(view);
  }
  job.walk.finish();
  across |= job.walk.length <= kLongestAcross && job.walk.side_by_side(2 * q.rows + q.out_rows);
  if (job.walk.rows > 0) run_gradient<T>(job, gradient, chunk_rows, across);
  for (int j = 0; j < q.rows; ++j) {
    if (gradient.shared[j].sums.defined()) {
      result[static_cast<size_t>(j)] =
          join_chunks(gradient.shared[j].sums, a.in[static_cast<size_t>(j)],
                      axis - (space.rank - a.in[static_cast<size_t>(j)].rank()));
    }
  }
  return result;
}

}  // namespace

Tensors rowwise_vjp_first(const VjpArgs& a) {
  auto [space, d] = row_space(a.op, a.in);
  int axis = normalize_axis(*static_cast<const int64_t*>(a.attrs), space.rank, a.op.name);
  RowJob job(a.op, a.attrs, space, axis, d == DType::f64 ? Compute::f64 : Compute::f32);
  return d == DType::f64 ? gradients<double>(a, job, axis, space, d)
                         : gradients<float>(a, job, axis, space, d);
}

}  // namespace gyre
