#pragma once
#include <stdint.h>

namespace gyre {

/// wide: results that go into a product are f64.
struct PlaneAttrs {
  int64_t axis = -1;
  bool wide = false;
};

}  // namespace gyre
