#pragma once
#include <stdint.h>

namespace gyre {

/// wide: factors of a product are f64.
struct PlaneAttrs {
  int64_t axis = -1;
  bool wide = false;
};

/// narrow: a result of f64 operands is f32.
struct NarrowAttrs {
  int64_t axis = -1;
  bool narrow = false;
};

}  // namespace gyre
