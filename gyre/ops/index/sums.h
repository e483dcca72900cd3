#pragma once
#include <type_traits>

#include "gyre/ops/elements.h"
#include "gyre/tensor/dtype.h"

// Summation of elements: 16-bit floats in f32, integers with wrap-around.

namespace gyre {

inline bool is_half(DType d) { return d == DType::f16 || d == DType::bf16; }

template <class T>
T sum_of(T a, T b) {
  if constexpr (std::is_same_v<T, bool>) {
    return a || b;
  } else if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(static_cast<U>(a) + static_cast<U>(b)));
  } else {
    return a + b;
  }
}

/// The accumulator type for elements of T.
template <class T>
using SumOf = decltype(value_of(T()));

}  // namespace gyre
