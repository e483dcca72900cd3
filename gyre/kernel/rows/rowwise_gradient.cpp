#include <algorithm>
#include <cstring>

#include "gyre/base/cpu.h"
#include "gyre/base/thread_pool.h"
#include "gyre/kernel/copy.h"
#include "gyre/kernel/rows/row_block.h"
#include "gyre/kernel/rows/row_job.h"
#include "gyre/kernel/rows/rowwise.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"

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

// What the runs of a plan use of it.
struct Operands {
  const RowGradientPlan& plan;
  const RowJob& job;
  const RowwiseTiles& tiles;
  const RowSpec& q;
  const int g0, out0, number0;
  const SharedSum* shared;
  const bool* wanted;

  explicit Operands(const RowGradientPlan& p)
      : plan(p),
        job(p.job),
        tiles(*job.op->family.rowwise[isa()]),
        q(job.spec),
        g0(p.g0),
        out0(p.out0),
        number0(p.number0),
        shared(p.shared),
        wanted(p.wanted) {}
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
  void lanes(const AcrossTile<T>& tile, int64_t first_row, int64_t chunk) const {
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
          : shared[j].sums
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
      if (shared[j].sums) {
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
      all &= !o.shared[j].sums;
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
        if (shared[j].sums) {
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

int64_t rows_of_chunk(int64_t rows, int64_t length) {
  int64_t grain = kGrain / 4 / (length ? length : 1);
  int64_t least = std::max({(rows + kMostChunks - 1) / kMostChunks, grain, int64_t{1}});
  return (least + kMostTogether - 1) / kMostTogether * kMostTogether;
}

}  // namespace

inline RowGradientPlan::RowGradientPlan(const OpDef& op, const KernelArgs& args,
                                        const RowCall& call)
    : job(op, args.attrs, call.space, call.axis, call.compute) {
  const RowSpec& q = job.spec;
  RowWalk& walk = job.walk;
  g0 = q.rows;
  out0 = q.rows + q.out_rows;
  number0 = 2 * q.rows + q.out_rows;
  chunk_rows = rows_of_chunk(walk.rows, walk.length);
  for (int j = 0; j < q.rows; ++j) walk.add_row(args.in[static_cast<size_t>(j)]);
  for (int o = 0; o < q.out_rows; ++o)
    walk.add_row(args.in[args.out.size() + static_cast<size_t>(o)]);
  auto* scratch = reinterpret_cast<double*>(args.scratch);
  for (int j = 0; j < q.rows; ++j) {
    const View& gradient = args.out[static_cast<size_t>(j)];
    wanted[j] = gradient.data != nullptr;
    const bool is_shared = wanted[j] && !(gradient.shape == call.space);
    walk.add_row(is_shared ? sums_view(gradient, j, call, scratch) : gradient);
  }
  across = walk.length <= kShortRow;
  add_numbers(args, call);
  walk.finish();
  across |= walk.length <= kLongestAcross && walk.side_by_side(2 * q.rows + q.out_rows);
  job.stream =
      (q.exact || !across) &&
      walk.rows * walk.length * static_cast<int64_t>(size_of(call.compute)) >= kStreamBytes;
}

// The sums of a row input that rows share; an empty View where all rows have one.
inline View RowGradientPlan::sums_view(const View& gradient, int j, const RowCall& call,
                                       double*& scratch) {
  const Shape& own = gradient.shape;
  shared[j] = {scratch, numel(own), gradient.data, gradient.dtype};
  scratch += chunks() * shared[j].elements;
  if (shared[j].elements == call.space[call.axis]) return {};
  const Shape strides = axis_last(own, call.axis - (call.space.rank - own.rank));
  return {reinterpret_cast<std::byte*>(shared[j].sums), own, strides, DType::f64, gradient.device};
}

// The operands with one number per row: inputs, cotangents, what forward saved, and the gradients
// that are wanted.
inline void RowGradientPlan::add_numbers(const KernelArgs& args, const RowCall& call) {
  const RowSpec& q = job.spec;
  const size_t rows = static_cast<size_t>(q.rows), inputs = args.out.size();
  for (size_t i = rows; i < inputs; ++i) job.walk.add_number(args.in[i]);
  for (size_t i = inputs + static_cast<size_t>(q.out_rows); i < args.in.size(); ++i) {
    View v = args.in[i];
    if (v.data && v.shape.rank == call.space.rank && v.shape.rank) {  // a cotangent with keepdim
      v.shape = v.shape.without(call.axis);
      v.strides = v.strides.without(call.axis);
    }
    job.walk.add_number(v);
  }
  for (size_t i = rows; i < inputs; ++i) job.walk.add_number(args.out[i]);
}

namespace {

/// run(begin, end, chunk) for the chunks of rows.
void over_chunks(const RowGradientPlan& p, auto run) {
  const int64_t rows = p.job.walk.rows;
  parallel_for(p.chunks(), 1, [&](int64_t chunk, int64_t) {
    int64_t begin = chunk * p.chunk_rows;
    run(begin, std::min(begin + p.chunk_rows, rows), chunk);
    if (p.job.stream) convert_tiles().fence();
  });
}

template <class T>
void run_row_stages(const RowGradientPlan& p) {
  Gradient<T> gradient{Operands(p)};
  const AcrossTile<T>& tile = RowTilesOf<T>::across(gradient.tiles);
  over_chunks(p, [&](int64_t begin, int64_t end, int64_t chunk) {
    if (p.across) {
      for (int64_t r = begin; r < end; r += tile.rows) gradient.lanes(tile, r, chunk);
    } else {
      for (int64_t r = begin; r < end; ++r) gradient.whole_row(r, chunk);
    }
  });
}
void run_gradient_blocks(const RowGradientPlan& p) {
  GradientBlocks gradient{Operands(p)};
  over_chunks(p, [&](int64_t begin, int64_t end, int64_t chunk) {
    auto* scratch = reinterpret_cast<double*>(thread_scratch(gradient.bytes()));
    for (int64_t r = begin; r < end; r += gradient.rows) gradient(r, chunk, scratch);
  });
}

void join_chunks(const SharedSum& shared, int64_t chunks) {
  for (int64_t c = 1; c < chunks; ++c) {
    convert_tiles().accumulate(shared.row(c, 0), shared.sums, shared.elements);
  }
  store_of(Compute::f64, shared.dtype)(shared.sums, shared.joined, shared.elements);
}

Status run_row_gradient(const RowGradientPlan& p) noexcept {
  return run_or_report([&] {
    const int64_t chunks = p.chunks();
    for (const SharedSum& s : p.shared) {
      if (s.sums) std::memset(s.sums, 0, static_cast<size_t>(chunks * s.elements) * sizeof(double));
    }
    if (p.job.spec.exact) {
      run_gradient_blocks(p);
    } else if (p.job.compute == Compute::f64) {
      run_row_stages<double>(p);
    } else {
      run_row_stages<float>(p);
    }
    for (const SharedSum& s : p.shared) {
      if (s.sums) join_chunks(s, chunks);
    }
  });
}

// From the inputs, the cotangents and the hidden outputs to the gradients of the inputs. Row inputs
// whose gradient has not the shape of the rows are shared by rows.
Status row_gradient_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const RowGradientPlan plan(op, args, row_call(op, args));
  return launch<run_row_gradient>(op, args, plan, Pass::gradient);
}

Tensor zero_number(const OpDef& op, DType dtype, Device device) {
  Tensor zero = empty(Shape{}, dtype, device);
  check(op, zero_elements(memory_of(zero)));
  return zero;
}

}  // namespace

Tensors rowwise_vjp_first(const VjpArgs& a) {
  const auto [space, dtype] = row_space(a.op, a.in);
  const int axis = normalize_axis(*static_cast<const int64_t*>(a.attrs), space.rank, a.op.name);
  const RowSpec& q = a.op.family.row;
  const auto rows = static_cast<size_t>(q.rows);
  const auto given =
      std::find_if(a.grad.begin(), a.grad.end(), [](auto& g) { return g.defined(); });
  const Device device = given->device();  // an operand may be a number, which has none
  Tensors result(a.in.size()), in(a.in.begin(), a.in.end());
  for (size_t o = 0; o < static_cast<size_t>(q.out_rows + q.out_scalars); ++o) {
    const bool missing = o < static_cast<size_t>(q.out_rows) && !a.grad[o].defined();
    in.push_back(missing ? zero_number(a.op, dtype, device) : a.grad[o]);
  }
  for (int j = 0; j < q.hidden(); ++j) in.push_back(a.out[static_cast<size_t>(a.op.visible + j)]);
  const Shape outer = space.without(axis);
  const int64_t length = space.rank ? space[axis] : 1, row_count = numel(outer);
  const int64_t chunk_rows = rows_of_chunk(row_count, length);
  int64_t sums = 0;
  for (size_t i = 0; i < a.in.size(); ++i) {
    if (!a.wanted[i]) continue;
    const Tensor& x = a.in[i];
    if (i >= rows) {
      result[i] = empty(outer, DType::f64, device);
    } else if (!shared_by_rows(x, space, axis)) {
      result[i] = empty(space, dtype, device);
    } else {
      result[i] = make_view(empty(x.shape(), x.dtype(), device), x.shape(),
                            axis_last(x.shape(), axis - (space.rank - x.rank())), 0);
      sums += (row_count + chunk_rows - 1) / chunk_rows * x.numel();
    }
  }
  check(a.op, try_kernel(a.op, row_gradient_kernel, in, result, a.attrs, device,
                         static_cast<size_t>(sums) * sizeof(double)));
  return result;
}

}  // namespace gyre
