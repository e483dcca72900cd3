#pragma once
#include "gyre/tensor/tensor.h"

namespace gyre {

/// One item of a NumPy-style subscript x[a, b, ...].
struct Subscript {
  enum Kind : uint8_t {
    index,     ///< one position of an axis, which is removed; negative: from the end
    range,     ///< start:stop:step of an axis, step at least 1
    ellipsis,  ///< all axes not covered by other items
    new_axis   ///< a new axis of size 1
  } kind = range;
  int64_t start = 0;  ///< of an index: the place
  int64_t stop = INT64_MAX;
  int64_t step = 1;

  static Subscript at(int64_t place) { return {index, place, 0, 1}; }
  static Subscript all() { return {}; }
};

/// A view of the part of x that the subscripts name; axes past the last one stay whole.
/// Error{index} for too many subscripts and places out of range, Error{value} for two ellipses or a
/// step below 1.
Tensor subscript(const Tensor& x, std::span<const Subscript> parts);

}  // namespace gyre
