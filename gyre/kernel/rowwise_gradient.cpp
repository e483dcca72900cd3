#include <algorithm>
#include <cstring>

#include "gyre/base/cpu.h"
#include "gyre/base/thread_pool.h"
#include "gyre/kernel/row_block.h"
#include "gyre/kernel/rowwise.h"
#include "gyre/op/apply.h"

namespace gyre {
namespace {

// Rows are summed in at most this many chunks where an input is shared by all rows.
constexpr int64_t kMostChunks = 32;
// A multiple of the rows of any tile and block: chunks are of whole ones.
constexpr int64_t kMostTogether = 64;
static_assert(kMostTogether % kBlockRows == 0);

// The gradient of an input shared by at least this many rows is summed here instead of written per
// row; fewer would need more memory for the chunks' sums.
constexpr int64_t kLeastSharing = 2 * kMostChunks;

// Gradient of a row input shared by rows: f64 sums per chunk of rows, the axis last.
struct SharedSum {
  Tensor sums;  // [chunks, elements of the input]
  double* row(int64_t chunk, int64_t offset) const {
    return sums.defined() ? sums.data<double>() + chunk * sums.shape()[1] + offset : nullptr;
  }
};

// Operands of a call and destinations of the gradients.
struct Operands {
  const RowJob& job;
  const RowwiseTiles& tiles;
  const RowSpec& q;
  // operands: row inputs, gradients of row outputs, gradients of row inputs, then per row: inputs,
  // gradients of out scalars, saved anchor and sums, gradients of inputs
  const int g0, out0, number0;
  SharedSum shared[kRowNumbers];
  bool wanted[kRowNumbers];

  explicit Operands(const RowJob& j)
      : job(j),
        tiles(*j.op->family.rowwise[isa()]),
        q(j.spec),
        g0(q.rows),
        out0(q.rows + q.out_rows),
        number0(2 * q.rows + q.out_rows) {}
  int grad_number0() const { return number0 + q.scalars + q.out_scalars + q.hidden(); }
};

template <class T>
struct Gradient : Operands {
  explicit Gradient(const Operands& o) : Operands(o) {}

  // Sets only what the stages read: clearing all of it would cost as much as a short row.
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
    for (int m = 0; m < q.sums; ++m) s.sums[m] = job.number(k++, row);
  }

  void pieces(int64_t row, auto f) const {
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
    for (int j = 0; j < q.scalars; ++j) {
      job.set_number(grad_number0() + j, row, s.grad_scalars[j]);
    }
  }

  // As many rows as a tile processes in parallel.
  void lanes(const RowsTile<T>& tile, int64_t first_row, int64_t chunk) const {
    const int rows = tile.rows;
    const int64_t cell = job.walk.length * rows;
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
    for (int k = 0; k < out0; ++k, room += cell) {
      in[k] = static_cast<const T*>(job.read_lanes(k, first_row, rows, room, line, in_stride[k]));
    }
    for (int j = 0; j < q.rows; ++j, room += cell) {
      out_stride[j] = rows;
      out[j] =
          !wanted[j] ? nullptr
          : shared[j].sums.defined()
              ? room
              : static_cast<T*>(job.target_lanes(out0 + j, first_row, rows, room, out_stride[j]));
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
      results[j] = job.walk.operand[grad_number0() + j].data ? number : nullptr;
    }
    tile.gradient({job.attrs, job.walk.length, in, in_stride, out, out_stride, given, results,
                   in + g0, in_stride + g0, given + q.scalars, given + q.scalars + q.out_scalars});
    for (int j = 0; j < q.rows; ++j) {
      if (!out[j]) continue;
      if (shared[j].sums.defined()) {
        sum_lanes(j, chunk, out[j], first_row, rows);
      } else {
        job.commit_lanes(out0 + j, first_row, rows, out[j], line);
      }
    }
    for (int j = 0; j < q.scalars; ++j) {
      job.set_numbers(grad_number0() + j, first_row, rows, results[j]);
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

// Gradients of an exact body, a block of rows at a time.
struct GradientBlocks : Operands, RowBlocks {
  using Operands::job;

  explicit GradientBlocks(const Operands& o) : Operands(o), RowBlocks(o.job, in_step(o)) {}

  static bool in_step(const Operands& o) {
    bool all = true;
    auto look = [&](int k) { all &= o.job.walk.operand[k].data && o.job.rows_in_step(k); };
    for (int k = 0; k < o.out0; ++k) look(k);
    for (int j = 0; j < o.q.rows; ++j) {
      if (o.wanted[j]) look(o.out0 + j);
      all &= !o.shared[j].sums.defined();
    }
    return all;
  }

  size_t bytes() const { return static_cast<size_t>(room() * (out0 + q.rows)) * 8; }

  void operator()(int64_t first, int64_t chunk, double* scratch) const {
    RowBlock block;
    begin(block, first, number0);
    std::memset(block.grad_coefs, 0, static_cast<size_t>(q.coefs) * sizeof block.grad_coefs[0]);
    for (int j = 0; j < q.out_scalars; ++j) {
      job.numbers(number0 + q.scalars + j, first, kBlockRows, 0, block.grad_coefs[j]);
    }
    for (int j = 0; j < q.scalars; ++j) {
      if (job.walk.operand[grad_number0() + j].data) block.scalars_wanted |= 1u << j;
    }
    BlockPiece at{};
    at.past_caches = true;
    for (int j = 0; j < q.rows; ++j) {
      if (wanted[j]) at.past_caches &= past_caches(out0 + j);
    }
    auto read_some = [&](int from, int to, int64_t i, int64_t n) {
      at.length = n;
      for (int k = from; k < to; ++k) {
        const bool is_input = k < g0;
        (is_input ? at.in[k] : at.grad[k - g0]) =
            read(k, block, first, i, n, scratch + k * room(),
                 is_input ? at.in_step[k] : at.grad_step[k - g0]);
      }
    };
    pieces([&](int64_t i, int64_t n) {
      read_some(0, g0, i, n);
      fetch_next(0, block, first);
      passes.reduce(block, at);
    });
    if (q.out_rows) {
      RowBlocks::tiles.finish(block);
      pieces([&](int64_t i, int64_t n) {
        read_some(whole() ? g0 : 0, out0, i, n);
        fetch_next(1, block, first);
        passes.grad_coefs(block, at);
      });
    }
    RowBlocks::tiles.grad_finish(block);
    pieces([&](int64_t i, int64_t n) {
      if (!whole()) read_some(0, out0, i, n);
      for (int k = q.out_rows ? 2 : 1; k < out0; ++k) fetch_next(k, block, first);
      for (int j = 0; j < q.rows; ++j) {
        const int k = out0 + j;
        at.out[j] =
            wanted[j] ? target(k, first, i, n, scratch + k * room(), at.out_step[j]) : nullptr;
      }
      passes.grad_map(block, at);
      for (int j = 0; j < q.rows; ++j) {
        if (!wanted[j]) continue;
        if (shared[j].sums.defined()) {
          add_rows(j, chunk, block, first, i, n, static_cast<const double*>(at.out[j]));
        } else {
          write(out0 + j, block, first, i, n, at.out[j]);
        }
      }
    });
    for (int j = 0; j < q.scalars; ++j) {
      job.set_numbers(grad_number0() + j, first, block.rows, block.grad_scalars[j]);
    }
  }

  void add_rows(int j, int64_t chunk, const RowBlock& block, int64_t first, int64_t begin,
                int64_t n, const double* x) const {
    for (int r = 0; r < block.rows; ++r) {
      double* sums = shared[j].row(chunk, job.walk.offset(out0 + j, first + r));
      convert_tiles().accumulate(x + r * n, sums + begin, n);
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

// Strides of contiguous elements with the axis last.
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

/// run(begin, end, chunk) for the chunks of rows.
void over_chunks(const RowJob& job, int64_t chunk_rows, auto run) {
  int64_t chunks = (job.walk.rows + chunk_rows - 1) / chunk_rows;
  parallel_for(chunks, 1, [&](int64_t chunk, int64_t) {
    int64_t begin = chunk * chunk_rows, end = begin + chunk_rows;
    run(begin, end < job.walk.rows ? end : job.walk.rows, chunk);
    if (job.stream) convert_tiles().fence();
  });
}

template <class T>
void run_gradient(const Operands& operands, int64_t chunk_rows, bool across) {
  Gradient<T> gradient(operands);
  const RowsTile<T>& tile = RowTilesOf<T>::across(operands.tiles);
  over_chunks(operands.job, chunk_rows, [&](int64_t begin, int64_t end, int64_t chunk) {
    if (across) {
      for (int64_t r = begin; r < end; r += tile.rows) gradient.lanes(tile, r, chunk);
    } else {
      for (int64_t r = begin; r < end; ++r) gradient.whole_row(r, chunk);
    }
  });
}
void run_gradient_blocks(const Operands& operands, int64_t chunk_rows) {
  GradientBlocks gradient(operands);
  over_chunks(operands.job, chunk_rows, [&](int64_t begin, int64_t end, int64_t chunk) {
    auto* scratch = reinterpret_cast<double*>(thread_scratch(gradient.bytes()));
    for (int64_t r = begin; r < end; r += gradient.rows) gradient(r, chunk, scratch);
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

int64_t rows_of_chunk(const RowJob& job) {
  int64_t grain = kGrain / 4 / (job.walk.length ? job.walk.length : 1);
  int64_t rows = std::max({(job.walk.rows + kMostChunks - 1) / kMostChunks, grain, int64_t{1}});
  return (rows + kMostTogether - 1) / kMostTogether * kMostTogether;
}

// The operands with one number per row: inputs, cotangents, what forward saved, and the gradients
// that are wanted, which are made here.
void add_numbers(const VjpArgs& a, RowJob& job, int axis, const Shape& space, Tensors& result) {
  const RowSpec& q = job.spec;
  for (size_t i = static_cast<size_t>(q.rows); i < a.in.size(); ++i) {
    job.walk.add_number(view_of(a.in[i]));
  }
  for (int j = 0; j < q.out_scalars; ++j) {
    Tensor g = a.grad[static_cast<size_t>(q.out_rows + j)];
    View v = view_of(g);
    if (g.defined() && v.shape.rank == space.rank && space.rank) {
      v.shape = without_axis(v.shape, axis);
      v.strides = without_axis(v.strides, axis);
    }
    job.walk.add_number(v);
  }
  for (int j = 0; j < q.hidden(); ++j) {
    job.walk.add_number(view_of(a.out[static_cast<size_t>(a.op.visible + j)]));
  }
  for (size_t i = static_cast<size_t>(q.rows); i < a.in.size(); ++i) {
    if (a.wanted[i]) result[i] = empty(without_axis(space, axis), DType::f64);
    job.walk.add_number(view_of(result[i]));
  }
}

Tensors gradients(const VjpArgs& a, RowJob& job, int axis, const Shape& space, DType dtype) {
  const RowSpec& q = job.spec;
  Operands operands(job);
  Tensors result(a.in.size()), keep;
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
  int64_t chunk_rows = rows_of_chunk(job);
  int64_t chunks = (job.walk.rows + chunk_rows - 1) / chunk_rows;
  for (int j = 0; j < q.rows; ++j) {
    auto at = static_cast<size_t>(j);
    operands.wanted[j] = a.wanted[at];
    View view;
    if (a.wanted[at] && shared_by_rows(a.in[at], space, axis)) {
      const Shape& own = a.in[at].shape();
      Tensor sums = empty(Shape{chunks, numel(own)}, DType::f64);
      std::memset(sums.bytes(), 0, static_cast<size_t>(sums.numel()) * 8);
      operands.shared[j].sums = sums;
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
  add_numbers(a, job, axis, space, result);
  job.walk.finish();
  across |= job.walk.length <= kLongestAcross && job.walk.side_by_side(2 * q.rows + q.out_rows);
  job.stream =
      (q.exact || !across) &&
      job.walk.rows * job.walk.length * static_cast<int64_t>(size_of(job.compute)) >= kStreamBytes;
  if (q.exact) {
    run_gradient_blocks(operands, chunk_rows);
  } else if (job.compute == Compute::f64) {
    run_gradient<double>(operands, chunk_rows, across);
  } else {
    run_gradient<float>(operands, chunk_rows, across);
  }
  for (int j = 0; j < q.rows; ++j) {
    if (operands.shared[j].sums.defined()) {
      result[static_cast<size_t>(j)] =
          join_chunks(operands.shared[j].sums, a.in[static_cast<size_t>(j)],
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
  return gradients(a, job, axis, space, d);
}

}  // namespace gyre
