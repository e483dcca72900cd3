#pragma once
#include "gyre/simd/vec.h"

namespace gyre {
namespace {

/// Integer power by repeated squaring, which wraps; 0 where the exponent is negative.
template <class T, int W>
  requires(!kIsFloat<T>)
GYRE_INLINE Vec<T, W> pow(Vec<T, W> x, Vec<T, W> y) {
  Vec<T, W> power;
  for (int i = 0; i < W; ++i) {
    using U = typename IntOf<T>::unsigned_type;
    const bool negative = !kIsUnsigned<T> && y[i] < T(0);
    U base = static_cast<U>(x[i]), result = negative ? 0 : 1;
    for (T left = negative ? 0 : y[i]; left != 0; left = static_cast<T>(left >> 1)) {
      if (left & 1) result = static_cast<U>(result * base);
      base = static_cast<U>(base * base);
    }
    power.set(i, static_cast<T>(result));
  }
  return power;
}

}  // namespace
}  // namespace gyre
