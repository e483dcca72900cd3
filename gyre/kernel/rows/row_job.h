#pragma once
#include "gyre/kernel/rows/row_walk.h"
#include "gyre/op/launch.h"
#include "gyre/op/tiles.h"

namespace gyre {

/// Shared state of forward and gradient of a row op: operands in the order row inputs, gradients of
/// row outputs (gradient only), row outputs, per-row operands; and data movement between them and
/// tiles.
struct RowJob {
  const OpDef* op;
  const void* attrs;
  RowSpec spec;
  RowWalk walk;
  Compute compute;
  DType computed;       ///< the dtype of `compute`
  bool stream = false;  ///< row outputs use non-temporal stores

  RowJob(const OpDef& o, const void* a, const Shape& space, int axis, Compute c)
      : op(&o),
        attrs(a),
        spec(o.family.row),
        walk(space, axis),
        compute(c),
        computed(dtype_of(c)) {}

  /// The value of per-row operand k; `absent` when it has no data.
  double number(int k, int64_t row, double absent = 0) const;
  /// The value of input i of the op if it is absent.
  double absent_input(int i) const { return spec.absent_ones >> i & 1 ? 1 : 0; }
  void set_number(int k, int64_t row, double value) const;
  /// The same for `lanes` rows starting at `row`; rows past the last repeat it and are not written.
  void numbers(int k, int64_t row, int lanes, double absent, double* to) const;
  void set_numbers(int k, int64_t row, int lanes, const double* values) const;
  /// Elements [begin, begin + n) of the row at walk.offset(k, row), n <= kRowPiece: in place, in
  /// `buffer` or, for an absent input, in a constant buffer.
  const void* read(int k, int64_t offset, int64_t begin, int64_t n, void* buffer) const {
    return direct(k) ? walk.operand[k].at(offset + begin) : read_into(buffer, k, offset, begin, n);
  }
  /// Elements from this row of operand k to the next, for prefetching; 0 unless rows are read in
  /// place and leave room in the caches.
  int64_t ahead(int k, int64_t row) const;
  /// Destination for such results of a stage: in place or `buffer`; then call commit.
  void* target(int k, int64_t offset, int64_t begin, void* buffer) const;
  void commit(int k, int64_t offset, int64_t begin, int64_t n, const void* buffer) const;
  /// True if a stage may write to `to`, inside operand k, with non-temporal stores.
  bool past_caches(int k, const void* to) const {
    return stream && direct(k) && reinterpret_cast<uintptr_t>(to) % 64 == 0;
  }
  bool direct(int k) const {
    const RowOperand& o = walk.operand[k];
    return o.inner == 1 && o.dtype == computed;
  }
  /// True when elements of a row are adjacent, of the compute type, and rows a constant step apart.
  bool rows_in_step(int k) const { return direct(k) && walk.rank <= 1; }
  /// Number of rows starting at `row`, at most `most`.
  int64_t rows_left(int64_t row, int64_t most) const {
    return walk.rows - row < most ? walk.rows - row : most;
  }
  /// `lanes` rows starting at `row` as [length][lanes] in `buffer` (rows past the last repeat it),
  /// or in place. Sets the stride between positions.
  const void* read_lanes(int k, int64_t row, int lanes, void* buffer, void* line,
                         int64_t& stride) const;
  /// The same for results.
  void* target_lanes(int k, int64_t row, int lanes, void* buffer, int64_t& stride) const;
  void commit_lanes(int k, int64_t row, int lanes, const void* buffer, void* line) const;

 private:
  const void* absent_row(int k) const;
  const void* read_into(void* buffer, int k, int64_t offset, int64_t begin, int64_t n) const;
  bool lanes_in_place(int k, int64_t row, int lanes) const;
  struct Rows {
    std::byte* first;
    int64_t step;   ///< bytes
    int64_t valid;  ///< number of lanes that hold rows
  };
  Rows rows_at(int k, int64_t row, int lanes) const {
    int64_t step = walk.rank ? walk.operand[k].outer[0] : 0;
    return {walk.operand[k].at(row * step), step * static_cast<int64_t>(size_of(compute)),
            rows_left(row, lanes)};
  }
};

/// The tiles of the instruction set in use for element type T.
template <class T>
struct RowTilesOf;
template <>
struct RowTilesOf<float> {
  static const RowStages<float>& stages(const RowwiseTiles& t) { return t.f32; }
  static const AcrossTile<float>& across(const RowwiseTiles& t) { return t.f32_across; }
};
template <>
struct RowTilesOf<double> {
  static const RowStages<double>& stages(const RowwiseTiles& t) { return t.f64; }
  static const AcrossTile<double>& across(const RowwiseTiles& t) { return t.f64_across; }
};

/// The common shape of the row operands, the axis and the type of the computation.
struct RowCall {
  Shape space;
  int axis;
  Compute compute;
};
/// The RowCall of a call that infer() has accepted.
RowCall row_call(const OpDef& op, const KernelArgs& args);

/// The plan (op/launch.h) of the forward pass of a row op: what its body gives for each row of
/// job.walk.
struct RowPlan {
  RowJob job;
  bool across;  ///< rows side by side in the lanes of vectors
  bool split;   ///< else: threads split each row

  RowPlan(const OpDef& op, const KernelArgs& args, const RowCall& call);
  /// Whether there is nothing to compute.
  bool empty() const {
    const RowSpec& q = job.spec;
    return job.walk.rows == 0 || (job.walk.length == 0 && q.out_scalars + q.hidden() == 0);
  }
};

/// The plan of a call whose operands infer() has accepted.
RowPlan plan_rowwise(const OpDef& op, const KernelArgs& args);
Status run_rowwise(const RowPlan& plan) noexcept;

/// Gradient of a row input shared by rows: f64 sums for each chunk of rows, the axis last.
struct SharedSum {
  double* sums = nullptr;  ///< [chunks, elements of the input]
  int64_t elements = 0;
  std::byte* joined = nullptr;  ///< the gradient, the axis last
  DType dtype = DType::f32;
  double* row(int64_t chunk, int64_t offset) const {
    return sums ? sums + chunk * elements + offset : nullptr;
  }
};

/// The plan of its first-order gradient: from the inputs, the cotangents and the hidden outputs to
/// the gradients of the inputs that are wanted.
struct RowGradientPlan {
  /// Operands: row inputs, gradients of row outputs (from g0 on), gradients of row inputs (from
  /// out0 on), then per row (from number0 on): inputs, gradients of out scalars, saved anchor and
  /// sums, gradients of inputs.
  RowJob job;
  int g0, out0, number0;
  SharedSum shared[kRowNumbers];  ///< by row input; without sums: not shared
  bool wanted[kRowNumbers];
  int64_t chunk_rows;
  bool across;  ///< rows side by side in the lanes of vectors

  RowGradientPlan(const OpDef& op, const KernelArgs& args, const RowCall& call);
  int64_t chunks() const { return (job.walk.rows + chunk_rows - 1) / chunk_rows; }

 private:
  View sums_view(const View& gradient, int j, const RowCall& call, double*& scratch);
  void add_numbers(const KernelArgs& args, const RowCall& call);
};

}  // namespace gyre
