#pragma once
#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <type_traits>

#include "gyre/base/record.h"

namespace gyre {

inline constexpr int kMaxRank = 16;

/// Up to 16 integers with inline storage: a shape, strides, or a list of axes. Entries past `rank`
/// are unspecified.
struct Shape {
  int rank = 0;
  std::array<int64_t, kMaxRank> dims;

  constexpr Shape() {
    for (int i = 0; i < kUsual; ++i) dims[i] = 0;
    if (std::is_constant_evaluated()) {
      for (int i = kUsual; i < kMaxRank; ++i) dims[i] = 0;
    }
  }
  /// Error{shape} for more than 16.
  constexpr Shape(std::initializer_list<int64_t> values) : Shape() {
    for (int64_t v : values) push_back(v);
  }
  explicit constexpr Shape(std::span<const int64_t> values) : Shape() {
    for (int64_t v : values) push_back(v);
  }
  constexpr Shape(const Shape& o) : rank(o.rank) { copy(o); }
  constexpr Shape& operator=(const Shape& o) {
    rank = o.rank;
    copy(o);
    return *this;
  }

  constexpr int64_t operator[](int i) const { return dims[i]; }
  constexpr int64_t& operator[](int i) { return dims[i]; }
  constexpr const int64_t* begin() const { return dims.data(); }
  constexpr const int64_t* end() const { return dims.data() + rank; }
  constexpr int64_t* begin() { return dims.data(); }
  constexpr int64_t* end() { return dims.data() + rank; }
  constexpr bool operator==(const Shape& o) const {
    if (rank != o.rank) return false;
    for (int i = 0; i < rank; ++i) {
      if (dims[i] != o.dims[i]) return false;
    }
    return true;
  }
  /// Error{shape} past 16.
  constexpr void push_back(int64_t v) {
    if (rank == kMaxRank) too_long();
    dims[rank++] = v;
  }
  constexpr bool contains(int64_t v) const {
    for (int64_t d : *this) {
      if (d == v) return true;
    }
    return false;
  }
  /// Counted from the end: back(0) is the last.
  constexpr int64_t back(int i = 0) const { return dims[rank - 1 - i]; }
  /// The entries [begin, end).
  constexpr Shape part(int begin, int end) const {
    return Shape(std::span<const int64_t>(dims.data() + begin, dims.data() + end));
  }
  /// The entries but that one.
  constexpr Shape without(int i) const {
    Shape r = part(0, i);
    for (++i; i < rank; ++i) r.push_back(dims[i]);
    return r;
  }

 private:
  [[noreturn]] static void too_long();
  // Nearly all ranks are at most 4; a loop over `rank` would become a call of memmove.
  static constexpr int kUsual = 4;
  constexpr void copy(const Shape& o) {
    for (int i = 0; i < kUsual; ++i) dims[i] = o.dims[i];
    if (std::is_constant_evaluated()) {
      for (int i = kUsual; i < kMaxRank; ++i) dims[i] = o.dims[i];
    } else {
      for (int i = kUsual; i < rank; ++i) dims[i] = o.dims[i];
    }
  }
};
template <>
inline constexpr Field::Type kFieldType<Shape> = Field::shape;

/// The entries of a, then those of b. Error{shape} for more than 16.
constexpr Shape concat(const Shape& a, const Shape& b) {
  Shape r = a;
  for (int64_t n : b) r.push_back(n);
  return r;
}

/// Product of the sizes; 1 for rank 0. Overflow is checked when a tensor is created.
constexpr int64_t numel(const Shape& s) {
  for (int64_t d : s) {
    if (d == 0) return 0;  // the product of the others may overflow
  }
  int64_t n = 1;
  for (int64_t d : s) n *= d;
  return n;
}

/// Row-major strides in elements.
constexpr Shape contiguous_strides(const Shape& s) {
  Shape r;
  r.rank = s.rank;
  uint64_t n = 1;  // unsigned: the product may wrap for an empty shape, whose strides are unused
  for (int i = s.rank; i-- > 0;) {
    r.dims[i] = static_cast<int64_t>(n);
    n *= s.dims[i] > 1 ? static_cast<uint64_t>(s.dims[i]) : 1;
  }
  return r;
}

/// True when elements are contiguous in row-major order (axes of size 1 do not matter).
constexpr bool is_contiguous(const Shape& s, const Shape& strides) {
  uint64_t n = 1;
  for (int i = s.rank; i-- > 0;) {
    if (s.dims[i] != 1 && strides.dims[i] != static_cast<int64_t>(n)) return numel(s) == 0;
    n *= static_cast<uint64_t>(s.dims[i]);
  }
  return true;
}
/// Whether different indices are different elements; false also for some layouts where they are.
constexpr bool is_one_to_one(const Shape& shape, const Shape& strides) {
  if (numel(shape) == 0) return true;
  bool done[kMaxRank] = {};
  int64_t reach = 0;  // of the axes with smaller strides
  for (int n = 0; n < shape.rank; ++n) {
    int next = -1;
    for (int i = 0; i < shape.rank; ++i) {
      if (!done[i] && (next < 0 || strides[i] < strides[next])) next = i;
    }
    done[next] = true;
    if (shape[next] < 2) continue;
    if (strides[next] <= reach) return false;
    reach += (shape[next] - 1) * strides[next];
  }
  return true;
}

/// "[4, 3]".
std::string to_string(const Shape& s);

/// Maps -rank <= axis < rank to 0..rank-1; rank 0 counts as 1. Error{index} of `op` otherwise.
int normalize_axis(int64_t axis, int rank, const char* op);

/// Sorted non-negative axes. Error{index} out of range, Error{value} for a duplicate.
Shape normalize_axes(const Shape& axes, int rank, const char* op);

/// NumPy broadcasting of two shapes. Error{shape} of `op` when they are incompatible.
Shape broadcast(const Shape& a, const Shape& b, const char* op);

/// Offset in elements of item `index` of the row-major `space` in an operand that broadcasts to it
/// and whose axes are the first `rank` of `shape`.
constexpr int64_t broadcast_offset(const Shape& shape, const Shape& strides, int rank,
                                   const Shape& space, int64_t index) {
  int64_t offset = 0;
  for (int i = space.rank - 1, j = rank - 1; j >= 0; --j, index /= space[i--]) {
    if (shape[j] != 1) offset += index % space[i] * strides[j];
  }
  return offset;
}

/// Checks sizes >= 0 and that the size in bytes fits 63 bits: Error{value} or Error{resource}.
void check_shape(const Shape& s, size_t element_bytes, const char* op);

}  // namespace gyre
