#pragma once
#include "gyre/kernel/strided.h"

// The reduction family: folds elements over any axes. One driver handles axes, strides, dtypes and
// threads; sums are split by size, never by thread.

namespace gyre {

/// Attributes of every reduction.
struct ReduceAttrs {
  Shape axes;            ///< empty: all
  bool keepdim = false;  ///< keep reduced axes with size 1
};
GYRE_FIELDS(ReduceAttrs, GYRE_FIELD(axes, "axes to reduce; empty: all"),
            GYRE_FIELD(keepdim, "keep reduced axes with size 1"));

/// The shape after a reduction. Error{index, value}.
Shape reduced_shape(const OpDef& op, const ReduceAttrs& attrs, const Shape& shape);

/// Result of the input's dtype. Error{value} for an empty reduction without identity element.
void reduction_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out);

Status reduction_kernel(const OpDef& op, const KernelArgs& args) noexcept;
size_t reduction_scratch(const void* attrs, Inputs in);

/// The axes of a reduction, split into kept and reduced ones.
struct ReductionSpace {
  View kept, reduced;  ///< views of the input with those axes only
  int64_t results, length;
  ReductionSpace(const View& in, const Shape& axes, const char* op);
};

/// How a reduction is split: results into ranges or, if they are few, elements into groups. Depends
/// on sizes and layout only.
struct ReductionSplit {
  bool columns;  ///< adjacent memory belongs to adjacent results
  int64_t group_size, groups;
  ReductionSplit(const ReductionSpace& s);
};

/// The plan (op/launch.h) of a reduction: result k of `dtype` folds by the rule of the op the
/// `length` elements of `reduced` moved by kept.offset(0, k), converted to `compute`.
struct ReductionPlan {
  const OpDef* op;
  ReductionSplit split;
  int64_t results, length;
  StridedLoop kept, reduced;
  Compute compute;
  DType dtype;  ///< of the results
  std::byte *out,
      *scratch;  ///< out: contiguous; scratch: 8 bytes for each result of several groups
};

}  // namespace gyre
