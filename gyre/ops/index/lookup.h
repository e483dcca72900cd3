#pragma once
#include "gyre/op/op_def.h"

namespace gyre {

/// out[p] = base[p + index[p] * step] for every position p of out; step in elements.
struct Lookup {
  View base;  ///< of out.shape, with stride 0 along the indexed axes
  int64_t step;
  View index;  ///< i32 or i64, broadcasts to out.shape; already checked
  View out;
};

/// Copies elements of any dtype; whole rows where the index is the same along the last axes.
void look_up(const Lookup& lookup);

}  // namespace gyre
