#pragma once
#include "gyre/op/op_def.h"

namespace gyre {

/// An index tensor, possibly absent.
struct IndexView {
  View view;
  bool present = false;
};
/// The index tensors among the operands of a call, from `first` on: of infer(), which may get
/// tensors that have no bytes, and of a kernel.
SmallVector<IndexView, kMaxRank> index_views(Inputs in, size_t first);
SmallVector<IndexView, kMaxRank> index_views(std::span<const View> in, size_t first);

/// The elements of x that index tensors choose, one tensor an axis from the first on, by NumPy's
/// rules: integers of -n..n-1 choose along one axis, a boolean mask along as many as it has, an
/// absent tensor keeps its axis whole, and so are kept the axes behind the last. Integers and masks
/// (as the coordinates of their true elements) broadcast together; their common axes stand where
/// the first of them was, or in front when kept axes lie between them.
class IndexedPositions {
 public:
  Shape chosen;   ///< what the index tensors broadcast to
  Shape kept;     ///< sizes of the axes that stay whole
  Shape result;   ///< shape of the selection
  int first = 0;  ///< where the axes of `chosen` begin in it

  /// Of x's shape. Counts masks. Error{shape, dtype} naming the op when the tensors do not fit.
  IndexedPositions(const OpDef& op, const Shape& x, std::span<const IndexView> indices);

  /// Bytes that find() needs.
  size_t scratch() const;
  /// Sets offsets() to where each place of `chosen` begins in x with these strides. A failed Status
  /// for the first index out of range.
  Status find(const Shape& strides, std::byte* scratch);
  const int64_t* offsets() const { return offsets_; }

  /// Strides of the kept axes out of those of x.
  Shape kept_strides(const Shape& strides) const;
  /// Strides of the selection out of those over the chosen and over the kept axes.
  Shape joined(const Shape& over_chosen, const Shape& over_kept) const;

 private:
  void add(const View& index, int64_t bound, int64_t stride);
  Shape x_;
  std::span<const IndexView> indices_;
  Shape kept_axes_;
  int64_t axis_of_[kMaxRank] = {}, masked_[kMaxRank] = {};  // by index
  int64_t* offsets_ = nullptr;
};

}  // namespace gyre
