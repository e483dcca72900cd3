#pragma once
#include "gyre/op/op_def.h"

namespace gyre {

/// copy_elements(): one of the two may be on the host and the other on a device.
struct CopyPlan {
  View from, to;
};

/// fill_elements() with an element of the dtype of `to`.
struct FillPlan {
  View to;
  alignas(8) std::byte element[8];
};

}  // namespace gyre
