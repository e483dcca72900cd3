#pragma once

// Names of the tables that kernel objects export: name_tiles_v3 in the object for v3.

#define GYRE_JOIN_(a, b) a##_tiles_##b
#define GYRE_JOIN(a, b) GYRE_JOIN_(a, b)
#if defined(__CUDACC__)  // a table in device memory, which makes its functions code of the device
#define GYRE_EXPORT_TILES(Type, name) __device__ Type GYRE_JOIN(name, GYRE_ISA)
#else
#define GYRE_EXPORT_TILES(Type, name)          \
  extern const Type GYRE_JOIN(name, GYRE_ISA); \
  constinit const Type GYRE_JOIN(name, GYRE_ISA)
#endif
