#pragma once
#include "gyre/op/op_def.h"

// The reduction family: folds elements over any axes. One driver does axes, strides, dtypes and
// threads; sums split by size, never by thread.

namespace gyre {

/// Attributes that every reduction has.
struct ReduceAttrs {
  Shape axes;            ///< all when empty
  bool keepdim = false;  ///< reduced axes stay with size 1
};
GYRE_FIELDS(ReduceAttrs, GYRE_FIELD(axes, "axes to reduce; all when empty"),
            GYRE_FIELD(keepdim, "keep reduced axes with size 1"));

/// The shape after a reduction. Error{index, value}.
Shape reduced_shape(const OpDef& op, const ReduceAttrs& attrs, const Shape& shape);

/// The same dtype as the input. Error{value} for an empty reduction without neutral element.
void reduction_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out);

Status reduction_cpu(const OpDef& op, const KernelArgs& args) noexcept;
size_t reduction_scratch(const void* attrs, Inputs in);

/// The space of a reduction cut into kept and reduced axes.
struct ReductionSpace {
  View kept, reduced;  ///< of the input, with those axes only
  int64_t results, length;
  ReductionSpace(const View& in, const Shape& axes, const char* op);
};

}  // namespace gyre
