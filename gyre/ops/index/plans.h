#pragma once
#include "gyre/ops/index/index.h"
#include "gyre/ops/index/indices.h"
#include "gyre/ops/index/lookup.h"
#include "gyre/ops/index/places.h"

// Plans (op/launch.h). A run fails with the first index out of range (check_indices) before it
// writes anything.

namespace gyre {

/// gather, index_select, embedding: checks `index` and does the lookup.
struct LookupPlan {
  IndexOperand index;
  Lookup lookup;
};

/// index_at: sets `offsets` (IndexedPositions::find) and does the lookup, which reads them.
struct IndexPlan {
  const IndexedPositions& positions;
  const Shape& strides;  ///< of x
  int64_t* offsets;      ///< [numel(positions.chosen)], scratch
  Lookup lookup;
};

/// index_put_at: sets `offsets` (IndexedPositions::find), then overwrites or adds to the elements
/// of `to` there, position by position; the last of equal positions wins.
struct PutPlan {
  const IndexedPositions& positions;
  int64_t* offsets;  ///< [numel(positions.chosen)], scratch
  /// `to` has the elements of x already; in f32 for sums of f16 and bf16. `values` is contiguous,
  /// [chosen..., kept...].
  View to, values;
  bool adds;
};

/// index_copy_: overwrites row index[i] of x with row i of values.
struct IndexCopyPlan {
  IndexOperand index;
  std::byte* x;
  const std::byte* values;
  size_t bytes;  ///< of a row; 0 if there are no values
};

/// The elements of an index, which is not empty, along an axis: each has a source, at the position
/// of the element, and a target, at the index value along the axis.
struct AlongIndex {
  StridedLoop lines;        ///< target, source and index without the axis
  int64_t step[3], length;  ///< their strides along the axis, and its size
};

/// scatter: copies each source to its target, in the order of the index. scatter_add: adds it
/// there; sums of f16 and bf16 are f32. Targets have the elements of x already.
struct ScatterPlan {
  IndexOperand index;
  AlongIndex along;  ///< from src to the results or sums
};

/// scatter_reduce in the compute type: folds each source into its target, which has the element of
/// x already, and divides means by the number of elements.
struct ScatterReducePlan {
  IndexOperand index;
  ScatterReduceAttrs attrs;
  int64_t places;      ///< of the results
  int64_t* counts;     ///< [places] scratch for the number of sources of each target; may be null
  bool ranked;         ///< the second result is wanted: for each source, how many precede it
  AlongIndex values;   ///< from src to the results
  AlongIndex counted;  ///< the same, from the second result if wanted
};

/// index_add: out[o][index[j]][:] += src[o][j][:], in the order of j; out has the elements of x
/// already. 16-bit floats are summed in f32 and rounded once.
struct IndexAddPlan {
  IndexOperand index;
  std::byte* out;
  const std::byte* src;
  int64_t outer, targets, sources, inner;  ///< inner: 0 if src is empty
  DType dtype;
  /// Scratch for a stable sort of the positions by target: `order` from starts[t] to starts[t + 1]
  /// is to hold those of target t. [targets + 2] and [sources].
  int64_t *starts, *order;
};

/// one_hot: writes `one` to element index[i] of row i of out, which is zero; rows have index.bound
/// elements.
struct OneHotPlan {
  IndexOperand index;
  std::byte* out;
  size_t size;  ///< bytes of an element
  alignas(8) std::byte one[8];
};

/// nonzero_starts: starts[c] = number of nonzero elements of x before chunk c of kGrain elements in
/// row-major order; the last of starts is the number of all.
struct StartsPlan {
  StridedLoop x;
  int64_t* starts;
};

/// nonzero_at: the row-major positions of the nonzero elements of x or, with `coordinates`, their
/// index along each axis, in order.
struct NonzeroPlan {
  StridedLoop x;
  const int64_t* starts;  ///< of StartsPlan
  int64_t* out;           ///< [count] or [count, shape.rank]
  Shape shape;            ///< of x
  bool coordinates;
};

}  // namespace gyre
