#pragma once
#include "gyre/kernel/strided.h"

namespace gyre {

/// Elements of a row per stage call; fixed, so that sums do not depend on the layout.
inline constexpr int64_t kRowPiece = 1024;
/// Rows up to this length are computed in parallel, one per SIMD lane.
inline constexpr int64_t kShortRow = 32;
/// So are rows up to this length whose elements at one position are adjacent in memory.
inline constexpr int64_t kLongestAcross = 4096;

/// One operand of a row op: start and stride of each row.
struct RowOperand {
  std::byte* data = nullptr;
  DType dtype = DType::f32;
  int64_t inner = 0;             ///< stride along the row, in elements; 0 for per-row operands
  int64_t outer[kMaxRank] = {};  ///< strides over the rows' axes
  std::byte* at(int64_t offset) const {
    return data + offset * static_cast<int64_t>(size_of(dtype));
  }
};

/// The rows of a call: all other axes, merged where all operands allow.
struct RowWalk {
  int64_t rows = 1, length = 1;
  int rank = 0;
  int64_t dims[kMaxRank];
  int operands = 0;
  RowOperand operand[2 * kMaxOperands];

  /// `space` is the common shape of the row operands, `axis` the row's.
  RowWalk(const Shape& space, int axis);
  /// A row operand: broadcasts to the space.
  int add_row(const View& view);
  /// A per-row operand: broadcasts to the space without the axis.
  int add_number(const View& view);
  /// Merges axes; call after the last add.
  void finish();
  /// Offset in elements of row r of operand k.
  int64_t offset(int k, int64_t r) const {
    return rank > 1 ? offset_over_axes(k, r) : rank == 1 ? r * operand[k].outer[0] : 0;
  }
  /// True if rows among the first `count` operands are adjacent in memory along the last axis.
  bool side_by_side(int count) const;

 private:
  int64_t offset_over_axes(int k, int64_t r) const;
  Shape space_;
  int axis_;
  int places_[kMaxRank];
};

}  // namespace gyre
