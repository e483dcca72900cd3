#pragma once
#include <array>

#include "gyre/base/cpu.h"

// Access to the tables that kernel objects export once per instruction set.

namespace gyre {

template <class T>
using PerIsa = std::array<const T*, isas>;

// GYRE_ISAS: the instruction sets built, bit i for Isa(i); entries of the others are null.
#if defined(__x86_64__)
#define GYRE_DECLARE_TILES(Type, name) \
  extern const Type name##_tiles_v2, name##_tiles_v3, name##_tiles_v4;
#else
#define GYRE_DECLARE_TILES(Type, name) extern const Type name##_tiles_v2;
#endif
#if GYRE_ISAS & 1
#define GYRE_TILES_V2(name) &name##_tiles_v2
#else
#define GYRE_TILES_V2(name) nullptr
#endif
#if GYRE_ISAS & 2
#define GYRE_TILES_V3(name) &name##_tiles_v3
#else
#define GYRE_TILES_V3(name) nullptr
#endif
#if GYRE_ISAS & 4
#define GYRE_TILES_V4(name) &name##_tiles_v4
#else
#define GYRE_TILES_V4(name) nullptr
#endif
#define GYRE_TILES_OF(name) \
  { GYRE_TILES_V2(name), GYRE_TILES_V3(name), GYRE_TILES_V4(name) }

/// The tiles of the instruction set in use for elements of T, float or double.
template <class T, class Tiles>
const auto& tiles_for(const PerIsa<Tiles>& all) {
  if constexpr (sizeof(T) == 4) {
    return all[isa()]->f32;
  } else {
    return all[isa()]->f64;
  }
}

/// Defines the function that returns the tiles of the instruction set in use, or their part for T.
#define GYRE_TILES_FUNCTION(Result, function, Type, name)       \
  Result function() {                                           \
    static constexpr PerIsa<Type> kTiles = GYRE_TILES_OF(name); \
    return *kTiles[isa()];                                      \
  }
#define GYRE_TILES_FUNCTION_OF_T(Result, function, Type, name)  \
  template <class T>                                            \
  Result function() {                                           \
    static constexpr PerIsa<Type> kTiles = GYRE_TILES_OF(name); \
    return tiles_for<T>(kTiles);                                \
  }

}  // namespace gyre
