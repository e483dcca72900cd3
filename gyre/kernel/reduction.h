#pragma once
#include "gyre/op/op_def.h"

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

}  // namespace gyre
