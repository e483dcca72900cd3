#pragma once
#include <type_traits>

#include "gyre/base/half.h"

namespace gyre {

/// An element as a number: 16-bit floats as f32.
inline float value_of(f16 x) { return to_float(x); }
inline float value_of(bf16 x) { return to_float(x); }
auto value_of(auto x) { return x; }

/// A number as an element of type T.
template <class T>
T stored(auto x) {
  if constexpr (std::is_same_v<T, f16>) {
    return to_f16(static_cast<float>(x));
  } else if constexpr (std::is_same_v<T, bf16>) {
    return to_bf16(static_cast<float>(x));
  } else {
    return static_cast<T>(x);
  }
}

}  // namespace gyre
