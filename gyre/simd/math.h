#pragma once
// Every function of Vec available in bodies; the derivatives for Dual are in dual.h.
#include "gyre/simd/math_activation.h"
#include "gyre/simd/math_erf.h"
#include "gyre/simd/math_exp.h"
#include "gyre/simd/math_gamma.h"
#include "gyre/simd/math_log.h"
#include "gyre/simd/math_pow.h"
#include "gyre/simd/math_remainder.h"
#include "gyre/simd/math_trig.h"

namespace gyre {
namespace {

/// 1 / sqrt(x); infinity with x's sign at zero.
template <class T, int W>
GYRE_INLINE Vec<T, W> rsqrt(Vec<T, W> x) {
  return Vec<T, W>(1.0) / sqrt(x);
}

}  // namespace
}  // namespace gyre
