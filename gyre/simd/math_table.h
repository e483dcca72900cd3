#pragma once
#include <stddef.h>
#include <stdint.h>

namespace gyre {

/// One function of math.def over arrays; y is read only where arguments is 2.
struct MathFunction {
  const char* name;
  int arguments;
  double bound;  ///< maximum error in ulp
  void (*f32)(const float* x, const float* y, float* out, int64_t n) noexcept;
  void (*f64)(const double* x, const double* y, double* out, int64_t n) noexcept;
};

/// Exported by math_tiles.cpp for an instruction set: the vector functions, for tests.
struct MathTable {
  const MathFunction* functions;
  size_t count;
  void (*f16_to_f32)(const uint16_t*, float*, int64_t) noexcept;
  void (*bf16_to_f32)(const uint16_t*, float*, int64_t) noexcept;
  void (*f32_to_f16)(const float*, uint16_t*, int64_t) noexcept;
  void (*f32_to_bf16)(const float*, uint16_t*, int64_t) noexcept;
};

#if defined(__x86_64__)
extern const MathTable math_tiles_v2, math_tiles_v3, math_tiles_v4;
#else
extern const MathTable math_tiles_v2;
#endif

}  // namespace gyre
