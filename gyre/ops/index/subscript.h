#pragma once
#include <concepts>

#include "gyre/tensor/tensor.h"

namespace gyre {

/// One item of a NumPy-style subscript x[{a, b, ...}]: an integer, Slice(...), Ellipsis or NewAxis.
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

  constexpr Subscript() = default;
  constexpr Subscript(Kind k, int64_t from = 0, int64_t to = INT64_MAX, int64_t by = 1)
      : kind(k), start(from), stop(to), step(by) {}
  template <std::integral I>
    requires(!std::same_as<I, bool>)
  constexpr Subscript(I place) : kind(index), start(static_cast<int64_t>(place)), stop(0) {}

  static Subscript at(int64_t place) { return {index, place, 0, 1}; }
  static Subscript all() { return {}; }
};

/// start:stop:step of an axis; Slice() is the whole axis.
struct Slice : Subscript {
  constexpr explicit Slice(int64_t first = 0, int64_t end = INT64_MAX, int64_t by = 1)
      : Subscript(range, first, end, by) {}
};
inline constexpr Subscript Ellipsis{Subscript::ellipsis}, NewAxis{Subscript::new_axis};

/// A view of the part of x that the subscripts name; axes past the last one stay whole.
/// Error{index} for too many subscripts and places out of range, Error{value} for two ellipses or a
/// step below 1.
Tensor subscript(const Tensor& x, std::span<const Subscript> parts);

/// A part of a tensor, as made by x[0] or x[{Slice(), 1}]: a view of it, so that `x[0] += y` writes
/// to x. Assigning to the part itself, as in `x[0] = y`, does so too; a Tensor made from it is
/// assigned as usual.
class TensorPart : public Tensor {
 public:
  explicit TensorPart(Tensor view) : Tensor(std::move(view)) {}
  TensorPart(const TensorPart&) = default;
  /// Writes values, which broadcast to the part. Errors as copy_.
  const TensorPart& operator=(const Tensor& values) const;
  const TensorPart& operator=(const TensorPart& values) const {
    return *this = static_cast<const Tensor&>(values);
  }
};

/// The elements of a tensor that a mask or indices name, as made by x[mask]: as a Tensor a copy of
/// them, as the left side of an assignment the elements of x.
class Selection {
 public:
  Selection(const Tensor& x, const Tensor& index) : x_(x), index_(index) {}
  Selection(const Selection&) = default;
  /// index(x, {index}). Errors as index.
  operator Tensor() const;
  /// Writes values, which broadcast to the selection. Errors as index_put and copy_.
  const Selection& operator=(const Tensor& values) const;
  const Selection& operator=(const Selection& values) const {
    return *this = static_cast<Tensor>(values);
  }

 private:
  Tensor x_, index_;
};

}  // namespace gyre
