#pragma once
#include "gyre/op/node.h"

// Views made while gradients were recorded know their base. A write to a view is an op of the base:
// the base gets a new history, in which the part is replaced (as_strided_scatter), and every view
// of it is from then on a part of the base (as_strided), whatever op made it.

namespace gyre {

struct StridesAttrs {
  Shape shape, strides;
  int64_t offset = 0;
};
GYRE_FIELDS(StridesAttrs, GYRE_FIELD(shape, "shape of the part"),
            GYRE_FIELD(strides, "elements of x from an index of an axis to the next, 0 or more"),
            GYRE_FIELD(offset, "element of x at index 0"));

/// Makes `view`, made from `x`, a view that knows its base, unless x is one that does not.
void give_base(const Tensor& view, const Tensor& x);

/// The place of a view in its base, whose elements are contiguous.
StridesAttrs place_in_base(const Tensor& view);

}  // namespace gyre
