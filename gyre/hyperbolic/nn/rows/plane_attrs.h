#pragma once
#include <stdint.h>

namespace gyre {

/// wide: return the factors of the matrix product in f64.
struct PlaneAttrs {
  int64_t axis = -1;
  bool wide = false;
};

/// narrow: return f32 for f64 operands.
struct NarrowAttrs {
  int64_t axis = -1;
  bool narrow = false;
};

}  // namespace gyre
