#pragma once
#include <array>

#include "gyre/base/cpu.h"

// How normal code names the tables that kernel objects export once per instruction set.

namespace gyre {

template <class T>
using PerIsa = std::array<const T*, isas>;

#if defined(__x86_64__)
#define GYRE_DECLARE_TILES(Type, name) \
  extern const Type name##_tiles_v2, name##_tiles_v3, name##_tiles_v4;
#define GYRE_TILES_OF(name) \
  { &name##_tiles_v2, &name##_tiles_v3, &name##_tiles_v4 }
#else
#define GYRE_DECLARE_TILES(Type, name) extern const Type name##_tiles_v2;
#define GYRE_TILES_OF(name) \
  { &name##_tiles_v2 }
#endif

}  // namespace gyre
