#pragma once
#include "gyre/kernel/strided.h"

// Checks and reads index operands.

namespace gyre {

inline constexpr Arg kReadArgs[] = {{"x"}, {.name = "index", .differentiable = false}};
inline constexpr Arg kWriteArgs[] = {{"x"}, {.name = "index", .differentiable = false}, {"src"}};
inline constexpr uint64_t kSavesIndex = 1 << 1;  ///< operand 1 (OpDef::saves_in)

/// Error{dtype} naming the op unless `index` is i32 or i64.
void check_index_dtype(const OpDef& op, const Tensor& index);

/// Error{dtype} naming the op unless x and src have one dtype that can be added up.
void check_summands(const OpDef& op, const Tensor& x, const Tensor& src);

/// Error{shape, dtype, index} naming the op unless x, index and src (`in`) have one rank and index
/// is no longer than src along any axis and no longer than x along axes but `axis`.
void check_scattered(const OpDef& op, int64_t axis, Inputs in);

/// Zeros of that shape with x in the leading corner.
Tensor filled_up(const Tensor& x, const Shape& shape);

/// The axis of AlongAttrs that infer() has accepted, counted from the front.
int axis_of(const void* attrs, const Shape& shape);

/// An index operand, whose elements must be in [least, bound).
struct IndexOperand {
  StridedLoop loop;
  int64_t bound, least;
  IndexOperand(const View& index, int64_t bound, int64_t least = 0)
      : loop(index.shape, std::array{&index}), bound(bound), least(least) {}
  /// Broadcast to a shape, without a range.
  IndexOperand(const View& index, const Shape& shape)
      : loop(shape, std::array{&index}), bound(0), least(0) {}
  int64_t size() const { return loop.size(); }
};

/// A failed Status for the first index in row-major order that is not in its range.
Status check_indices(const IndexOperand& index);
inline Status check_indices(const View& index, int64_t bound, int64_t least) {
  return check_indices(IndexOperand(index, bound, least));
}

/// The element of an i32 or i64 operand at that offset, in elements.
inline int64_t index_at(const View& index, int64_t offset) {
  if (index.dtype == DType::i32) return reinterpret_cast<const int32_t*>(index.data)[offset];
  return reinterpret_cast<const int64_t*>(index.data)[offset];
}

/// Calls piece(values, begin, n) for stretches of [begin, end) in row-major order.
void for_indices(const IndexOperand& index, int64_t begin, int64_t end, auto piece) {
  Reader reader(index.loop, 0, Compute::i64);
  alignas(64) int64_t buffer[kTile];
  for (int64_t i = begin; i < end; i += kTile) {
    int64_t n = end - i < kTile ? end - i : kTile;
    piece(static_cast<const int64_t*>(reader.read(i, n, buffer)), i, n);
  }
}

}  // namespace gyre
