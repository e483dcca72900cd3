#pragma once
#include "gyre/kernel/row_walk.h"
#include "gyre/op/tiles.h"

namespace gyre {

/// What forward and gradient of a row op share: operands in the order row inputs, cotangents of row
/// outputs (gradient only), row outputs, then per-row operands; and moves between them and tiles.
struct RowJob {
  const OpDef* op;
  const void* attrs;
  RowSpec spec;
  RowWalk walk;
  Compute compute;
  DType computed;       ///< the dtype that `compute` works in
  bool stream = false;  ///< row outputs go past the caches

  RowJob(const OpDef& o, const void* a, const Shape& space, int axis, Compute c)
      : op(&o),
        attrs(a),
        spec(o.family.row),
        walk(space, axis),
        compute(c),
        computed(dtype_of(c)) {}

  /// The value of per-row operand k; `absent` when it has no data.
  double number(int k, int64_t row, double absent = 0) const;
  /// What input i of the op is everywhere when it is not given.
  double absent_input(int i) const { return spec.absent_ones >> i & 1 ? 1 : 0; }
  void set_number(int k, int64_t row, double value) const;
  /// The same for `lanes` rows from `row` on; rows past the last repeat it and are not set.
  void numbers(int k, int64_t row, int lanes, double absent, double* to) const;
  void set_numbers(int k, int64_t row, int lanes, const double* values) const;
  /// Elements [begin, begin + n) of a row, in place, in `buffer` or, of an absent input, elsewhere.
  const void* read(int k, int64_t offset, int64_t begin, int64_t n, void* buffer) const {
    return direct(k) ? walk.operand[k].at(offset + begin) : read_into(buffer, k, offset, begin, n);
  }
  /// Elements from operand k of this row to that of the next, where both are read in place and a
  /// row leaves room in the caches; else 0.
  int64_t ahead(int k, int64_t row) const;
  /// Where a stage may write them: in place or `buffer`; then commit.
  void* target(int k, int64_t offset, int64_t begin, void* buffer) const;
  void commit(int k, int64_t offset, int64_t begin, int64_t n, const void* buffer) const;
  /// True when a stage may write to `to`, a place in operand k, past the caches.
  bool past_caches(int k, const void* to) const {
    return stream && direct(k) && reinterpret_cast<uintptr_t>(to) % 64 == 0;
  }
  bool direct(int k) const {
    const RowOperand& o = walk.operand[k];
    return o.inner == 1 && o.dtype == computed;
  }
  /// True when elements of a row are adjacent, of the compute type, and rows a constant step apart.
  bool rows_in_step(int k) const { return direct(k) && walk.rank <= 1; }
  /// How many rows of at most `most` there are from `row` on.
  int64_t rows_left(int64_t row, int64_t most) const {
    return walk.rows - row < most ? walk.rows - row : most;
  }
  /// Rows side by side: `lanes` rows from `row` on as [length][lanes] in `buffer` (rows past the
  /// last repeat it), or in place. Sets the stride between positions.
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
    int64_t valid;  ///< how many of the lanes are rows
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
  static const RowsTile<float>& across(const RowwiseTiles& t) { return t.f32_across; }
};
template <>
struct RowTilesOf<double> {
  static const RowStages<double>& stages(const RowwiseTiles& t) { return t.f64; }
  static const RowsTile<double>& across(const RowwiseTiles& t) { return t.f64_across; }
};

}  // namespace gyre
