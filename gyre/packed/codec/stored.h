#pragma once
#include <cstddef>
#include <cstring>

#include "gyre/base/half.h"

// Numbers in the bytes of a codec, at any address.

namespace gyre {

template <class T>
T stored(const std::byte* from) {
  T x;
  std::memcpy(&x, from, sizeof x);
  return x;
}

template <class T>
void store(const T& x, std::byte* to) {
  std::memcpy(to, &x, sizeof x);
}

// In f16, rounded to the nearest; infinity for one that is too large, which fault() finds.
inline void store_half(float x, std::byte* to) { store(to_f16(x), to); }
inline float stored_half(const std::byte* from) { return to_float(stored<f16>(from)); }

}  // namespace gyre
