#include "gyre/kernel/rows/rowwise.h"

#include "gyre/base/cpu.h"
#include "gyre/base/thread_pool.h"
#include "gyre/kernel/pointwise.h"
#include "gyre/kernel/rows/row_block.h"
#include "gyre/kernel/rows/row_job.h"
#include "gyre/op/launch.h"

namespace gyre {
namespace {

// A row of at least this length is split among threads if there are few rows.
constexpr int64_t kLongRow = int64_t{1} << 16;
constexpr int64_t kFewRows = 8;
// Rows up to this length keep the intermediate of RowSpec::keeps.
constexpr int64_t kKeptRow = int64_t{1} << 15;
constexpr int64_t kMostGroups = 256;

int64_t axis_of(const void* attrs) { return *static_cast<const int64_t*>(attrs); }

bool keeps_axis(const OpDef& op, const void* attrs) {
  const Field* f = op.attrs ? find_field(*op.attrs, "keepdim") : nullptr;
  return f && *reinterpret_cast<const bool*>(static_cast<const std::byte*>(attrs) + f->offset);
}

// Pieces of a row in groups that depend on its length only.
struct Groups {
  int64_t size, count;
  explicit Groups(int64_t length) {
    int64_t pieces = (length + kRowPiece - 1) / kRowPiece;
    int64_t each = (pieces + kMostGroups - 1) / kMostGroups;
    size = (each < 16 ? 16 : each) * kRowPiece;
    count = (length + size - 1) / size;
  }
};

template <class T>
struct Forward {
  const RowJob& job;
  const RowStages<T>& stages;
  const int inputs, outputs;

  Forward(const RowJob& j, const RowwiseTiles& t)
      : job(j), stages(RowTilesOf<T>::stages(t)), inputs(j.spec.rows), outputs(j.spec.out_rows) {}

  /// f(inputs, i, n) for the pieces of a row; without `read` the inputs are null.
  void pieces(int64_t row, int64_t begin, int64_t end, auto f, bool read = true) const {
    alignas(64) T buffers[kRowNumbers][kRowPiece];
    int64_t offsets[kRowNumbers];
    for (int k = 0; k < inputs; ++k) offsets[k] = job.walk.offset(k, row);
    for (int64_t i = begin; i < end; i += kRowPiece) {
      int64_t n = end - i < kRowPiece ? end - i : kRowPiece;
      const T* in[kRowNumbers];
      for (int k = 0; k < inputs; ++k) {
        in[k] = read ? static_cast<const T*>(job.read(k, offsets[k], i, n, buffers[k])) : nullptr;
      }
      f(in, i, n);
    }
  }

  // Sets only what the stages read: clearing all of it would cost as much as a short row.
  void begin_row(RowState& s, int64_t row) const {
    s.attrs = job.attrs;
    s.length = static_cast<double>(job.walk.length);
    s.kept = nullptr;
    for (int k = 0; k < inputs; ++k) s.ahead[k] = job.ahead(k, row);
    for (int m = 0; m < job.spec.sums; ++m) s.sums[m] = 0;
    int anchor = job.spec.anchored ? 1 : 0;
    if (anchor) s.scalars[0] = -__builtin_inf();
    for (int j = 0; j < job.spec.scalars; ++j) {
      s.scalars[anchor + j] = job.number(inputs + outputs + j, row, job.absent_input(inputs + j));
    }
  }

  void anchor(RowState& s, int64_t row, int64_t begin, int64_t end) const {
    if (!job.spec.anchored) return;
    pieces(row, begin, end,
           [&](const T* const* in, int64_t i, int64_t n) { stages.anchor(s, in, i, n); });
  }
  void reduce(RowState& s, int64_t row, int64_t begin, int64_t end) const {
    if (!job.spec.sums) return;
    pieces(row, begin, end,
           [&](const T* const* in, int64_t i, int64_t n) { stages.reduce(s, in, i, n, nullptr); });
  }
  /// f(what, i, n) for the pieces of a row, then each one's results go to their place.
  void results(const RowState& s, int64_t row, int64_t begin, int64_t end, auto f) const {
    alignas(64) T buffers[kRowNumbers][kRowPiece];
    int64_t offsets[kRowNumbers];
    for (int o = 0; o < outputs; ++o) offsets[o] = job.walk.offset(inputs + o, row);
    auto piece = [&](const T* const* in, int64_t i, int64_t n) {
      T* out[kRowNumbers];
      bool past_caches = true;
      for (int o = 0; o < outputs; ++o) {
        out[o] = static_cast<T*>(job.target(inputs + o, offsets[o], i, buffers[o]));
        past_caches &= job.past_caches(inputs + o, out[o]);
      }
      f(RowMap<T>{&s, in, out, past_caches}, i, n);
      for (int o = 0; o < outputs; ++o) job.commit(inputs + o, offsets[o], i, n, out[o]);
    };
    pieces(row, begin, end, piece, !s.kept);
  }
  void map(const RowState& s, int64_t row, int64_t begin, int64_t end) const {
    if (!outputs) return;
    results(s, row, begin, end,
            [&](const RowMap<T>& what, int64_t i, int64_t n) { stages.map(what, i, n); });
  }
  /// reduce of a row with map of the one before.
  void reduce_and_map(RowState& s, int64_t row, const RowState& earlier) const {
    pieces(row, 0, job.walk.length, [&](const T* const* in, int64_t i, int64_t n) {
      results(earlier, row - 1, i, i + n,
              [&](const RowMap<T>& what, int64_t, int64_t) { stages.reduce(s, in, i, n, &what); });
    });
  }
  void end_row(const RowState& s, int64_t row) const {
    int k = inputs + outputs + job.spec.scalars;
    for (int j = 0; j < job.spec.out_scalars; ++j) job.set_number(k++, row, s.coefs[j]);
    if (job.spec.anchored) job.set_number(k++, row, s.scalars[0]);
    for (int m = 0; m < job.spec.sums; ++m) job.set_number(k++, row, s.sums[m]);
  }

  // Maps a row while the next is summed, so that stores are spread evenly instead of in bursts.
  void whole_rows(int64_t begin, int64_t end) const {
    const int64_t length = job.walk.length;
    const bool keeps = job.spec.keeps && length <= kKeptRow;
    const size_t room = (static_cast<size_t>(length) * sizeof(T) / 64 + 1) * 64;
    std::byte* kept = keeps ? thread_scratch(2 * room) : nullptr;
    const bool behind = outputs && job.spec.sums;
    RowState rows[2];
    for (int64_t row = begin; row < end; ++row) {
      RowState &s = rows[row % 2], &earlier = rows[1 - row % 2];
      begin_row(s, row);
      if (keeps) s.kept = kept + static_cast<size_t>(row % 2) * room;
      // reduce finds a first element by itself; a pass of its own would wait for the memory twice
      if (!job.spec.by_first) anchor(s, row, 0, length);
      if (behind && row > begin) {
        reduce_and_map(s, row, earlier);
      } else {
        reduce(s, row, 0, length);
      }
      stages.finish(s);
      end_row(s, row);
      if (!behind || row + 1 == end) map(s, row, 0, length);
    }
  }

  // Threads split the row: each group of pieces has its own sums, joined in order.
  void long_row(int64_t row) const {
    Groups groups(job.walk.length);
    RowState s{};
    begin_row(s, row);
    double part[kMostGroups][kRowNumbers];
    auto share = [&](auto stage) {
      parallel_for(groups.count, 1, [&](int64_t g, int64_t) {
        int64_t begin = g * groups.size, end = begin + groups.size;
        stage(g, begin, end < job.walk.length ? end : job.walk.length);
      });
    };
    if (job.spec.anchored) {
      share([&](int64_t g, int64_t begin, int64_t end) {
        RowState local = s;
        anchor(local, row, begin, end);
        part[g][0] = local.scalars[0];
      });
      for (int64_t g = 0; g < groups.count; ++g) {
        double m = part[g][0];
        if (m > s.scalars[0]) s.scalars[0] = m;
      }
    }
    share([&](int64_t g, int64_t begin, int64_t end) {
      RowState local = s;
      reduce(local, row, begin, end);
      for (int m = 0; m < job.spec.sums; ++m) part[g][m] = local.sums[m];
    });
    for (int64_t g = 0; g < groups.count; ++g) {
      for (int m = 0; m < job.spec.sums; ++m) s.sums[m] += part[g][m];
    }
    stages.finish(s);
    share([&](int64_t, int64_t begin, int64_t end) { map(s, row, begin, end); });
    end_row(s, row);
  }

  // As many rows as a tile processes in parallel.
  void lanes(const AcrossTile<T>& tile, int64_t first_row) const {
    const int rows = tile.rows;
    const int64_t cell = job.walk.length * rows;
    const int numbers = job.spec.scalars + job.spec.out_scalars + job.spec.hidden();
    size_t tiles = static_cast<size_t>(cell * (inputs + outputs)) * sizeof(T);
    std::byte* scratch =
        thread_scratch(tiles + (kRowPiece + static_cast<size_t>(numbers * rows)) * 8);
    T* room = reinterpret_cast<T*>(scratch);
    double* line = reinterpret_cast<double*>(scratch + tiles);
    double* number = line + kRowPiece;
    const T* in[kRowNumbers];
    T* out[kRowNumbers];
    int64_t in_stride[kRowNumbers], out_stride[kRowNumbers];
    const double* scalars[kRowNumbers];
    double* results[2 * kRowNumbers];
    int k = 0;
    for (; k < inputs; ++k, room += cell) {
      in[k] = static_cast<const T*>(job.read_lanes(k, first_row, rows, room, line, in_stride[k]));
    }
    for (int o = 0; o < outputs; ++o, ++k, room += cell) {
      out[o] = static_cast<T*>(job.target_lanes(k, first_row, rows, room, out_stride[o]));
    }
    for (int j = 0; j < job.spec.scalars; ++j, ++k, number += rows) {
      job.numbers(k, first_row, rows, job.absent_input(inputs + j), number);
      scalars[j] = number;
    }
    int results_count = job.spec.out_scalars + job.spec.hidden();
    for (int j = 0; j < results_count; ++j, number += rows) results[j] = number;
    tile.forward({job.attrs, job.walk.length, in, in_stride, out, out_stride, scalars, results,
                  nullptr, nullptr, nullptr, nullptr});
    for (int o = 0; o < outputs; ++o) job.commit_lanes(inputs + o, first_row, rows, out[o], line);
    for (int j = 0; j < results_count; ++j, ++k) job.set_numbers(k, first_row, rows, results[j]);
  }
};

template <class T>
void run_forward(const RowPlan& plan) {
  const RowJob& job = plan.job;
  const RowwiseTiles& tiles = *job.op->family.rowwise[isa()];
  Forward<T> forward(job, tiles);
  const RowWalk& walk = job.walk;
  int64_t grain = kGrain / 2 / (walk.length ? walk.length : 1);
  if (grain < 1) grain = 1;
  if (plan.across) {
    const AcrossTile<T>& tile = RowTilesOf<T>::across(tiles);
    int64_t rows = tile.rows;
    parallel_for((walk.rows + rows - 1) / rows, grain / rows + 1, [&](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b) forward.lanes(tile, b * rows);
    });
  } else if (plan.split) {
    for (int64_t r = 0; r < walk.rows; ++r) forward.long_row(r);
  } else {
    parallel_for(walk.rows, grain, [&](int64_t begin, int64_t end) {
      forward.whole_rows(begin, end);
      if (job.stream) convert_tiles().fence();
    });
  }
}

}  // namespace

RowSpace row_space(const OpDef& op, Inputs in) {
  RowSpace r{in[0].shape(), DType::f32};
  Promotion all;
  for (size_t i = 0; i < static_cast<size_t>(op.family.row.rows); ++i) {
    if (!in[i].defined()) continue;
    r.shape = i ? broadcast(r.shape, in[i].shape(), op.name) : r.shape;
    all.meet(in[i].dtype(), in[i].meta().weak);
  }
  if (is_floating(all.result())) r.dtype = all.result();
  return r;
}

void rowwise_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  const RowSpec& q = op.family.row;
  auto [space, d] = row_space(op, in);
  int axis = normalize_axis(axis_of(attrs), space.rank, op.name);
  Shape outer = space.without(axis);
  for (size_t i = static_cast<size_t>(q.rows); i < in.size(); ++i) {
    if (!in[i].defined()) continue;
    if (!(broadcast(outer, in[i].shape(), op.name) == outer)) {
      refuse(Code::shape, op,
             std::string(op.args[i].name) + " has shape " + to_string(in[i].shape()) +
                 ", expected " + to_string(outer),
             to_string(outer), to_string(in[i].shape()));
    }
  }
  if (q.anchored && space.rank && space[axis] == 0 && numel(outer) != 0) {
    refuse(Code::value, op, "the axis must not be empty", {}, to_string(space));
  }
  size_t k = 0;
  for (; k < static_cast<size_t>(q.out_rows); ++k) {
    out[k].shape = space;
    out[k].dtype = d;
  }
  Shape kept = outer;
  if (keeps_axis(op, attrs) && space.rank) {
    kept = space;
    kept[axis] = 1;
  }
  for (; k < out.size(); ++k) {
    bool visible = k < static_cast<size_t>(op.visible);
    out[k].shape = visible ? kept : outer;
    out[k].dtype = visible ? d : DType::f64;
  }
}

Status run_rowwise(const RowPlan& p) noexcept {
  return run_or_report([&] {
    if (p.job.spec.exact) {
      run_blocks(p.job);
    } else if (p.job.compute == Compute::f64) {
      run_forward<double>(p);
    } else {
      run_forward<float>(p);
    }
  });
}

RowPlan::RowPlan(const OpDef& op, const KernelArgs& args, const RowCall& call)
    : job(op, args.attrs, call.space, call.axis, call.compute) {
  const RowSpec& q = job.spec;
  auto rows = static_cast<size_t>(q.rows), out_rows = static_cast<size_t>(q.out_rows);
  RowWalk& walk = job.walk;
  for (size_t i = 0; i < rows; ++i) walk.add_row(args.in[i]);
  for (size_t i = 0; i < out_rows; ++i) walk.add_row(args.out[i]);
  across = walk.length <= kShortRow;
  for (size_t i = rows; i < args.in.size(); ++i) walk.add_number(args.in[i]);
  bool kept = keeps_axis(op, args.attrs);
  for (size_t i = out_rows; i < out_rows + static_cast<size_t>(q.out_scalars + q.hidden()); ++i) {
    View v = i < args.out.size() ? args.out[i] : View{};
    if (kept && i < static_cast<size_t>(op.visible) && v.shape.rank) {
      v.shape = v.shape.without(call.axis);
      v.strides = v.strides.without(call.axis);
    }
    walk.add_number(v);
  }
  walk.finish();
  across |= walk.length <= kLongestAcross && walk.side_by_side(static_cast<int>(rows + out_rows));
  split = !across && walk.length >= kLongRow && walk.rows < kFewRows;
  const int64_t bytes = walk.rows * walk.length * static_cast<int64_t>(size_of(call.compute));
  job.stream = bytes >= kStreamBytes && (q.exact || (q.out_rows > 0 && !across && !split));
}

RowCall row_call(const OpDef& op, const KernelArgs& args) {
  auto rows = static_cast<size_t>(op.family.row.rows);
  Shape space = args.in[0].shape;
  Promotion all;
  for (size_t i = 0; i < rows; ++i) {
    if (i) space = broadcast(space, args.in[i].shape, op.name);  // an absent one is 0-d
    if (args.in[i].data) all.meet(args.in[i].dtype, args.in[i].weak);
  }
  return {space, normalize_axis(axis_of(args.attrs), space.rank, op.name),
          all.result() == DType::f64 ? Compute::f64 : Compute::f32};
}

RowPlan plan_rowwise(const OpDef& op, const KernelArgs& args) {
  return {op, args, row_call(op, args)};
}

Status rowwise_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const RowPlan plan = plan_rowwise(op, args);
  return plan.empty() ? Status{} : launch<run_rowwise>(op, args, plan);
}

}  // namespace gyre
