#pragma once
#include "gyre/op/op_def.h"

namespace gyre {

/// The index tensors of a call of index or index_put. A mask has been replaced by the row-major
/// positions of its true elements, which choose along `span` axes together.
struct IndexView {
  View view;
  bool present = false;
  int span = 1;
};
using IndexViews = SmallVector<IndexView, kMaxRank>;

/// The elements of x that index tensors choose, one tensor an axis from the first on, by NumPy's
/// rules: integers of -n..n-1 choose along one axis, positions of a mask along as many as it has,
/// an absent tensor keeps its axis whole, and so are kept the axes behind the last. Integers and
/// positions broadcast together; their common axes stand where the first of them was, or in front
/// when kept axes lie between them.
struct IndexedPositions {
  Shape chosen;   ///< what the index tensors broadcast to
  Shape kept;     ///< sizes of the axes that stay whole
  Shape result;   ///< shape of the selection
  int first = 0;  ///< where the axes of `chosen` begin in it

  Shape x;                     ///< shape of x
  const IndexViews& indices;   ///< of the call
  int first_axis[kMaxRank]{};  ///< by index: the first axis of x that it chooses along
  Shape kept_axes;             ///< the axes of x that stay whole

  /// Of x's shape. Error{shape} naming the op when the tensors do not fit.
  IndexedPositions(const OpDef& op, const Shape& x, const IndexViews& indices);

  /// Bytes that find() needs.
  size_t scratch() const { return static_cast<size_t>(numel(chosen)) * sizeof(int64_t); }
  /// Sets `offsets`, one for each place of `chosen`, to where it begins in x with these strides. A
  /// failed Status for the first index out of range.
  Status find(const Shape& strides, int64_t* offsets) const;

  /// Strides of the kept axes out of those of x.
  Shape kept_strides(const Shape& strides) const;
  /// Strides of the selection out of those over the chosen and over the kept axes.
  Shape joined(const Shape& over_chosen, const Shape& over_kept) const;
};

}  // namespace gyre
