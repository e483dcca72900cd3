#pragma once
#include "tests/conformance/values.h"

namespace gyre::conformance {

/// Memory layout of an operand. transposed: axes reversed. stepped: every second element of a
/// larger buffer. offset: from the fourth element of its storage on, so not aligned to 64 bytes.
/// Gaps contain NaN (or all bits set).
enum class Order : uint8_t { plain, transposed, stepped, offset };
inline constexpr Order kOrders[] = {Order::plain, Order::transposed, Order::stepped, Order::offset};
const char* name_of(Order order);

/// A tensor of these values (rounded to dtype) in that layout.
Tensor lay_out(const Values& values, const Shape& shape, DType dtype, Order order = Order::plain);

/// The same values in that layout and dtype; an empty Tensor, and packed weights, stay as they are.
Tensor lay_out(const Tensor& t, DType dtype, Order order);

/// t with index 0 of one axis repeated along it: materialised in `dense`, by stride 0 in `strided`.
/// The axis is the first longer than 1, or the last; false when there is none, and for packed
/// weights.
struct Repeated {
  Tensor dense, strided;
};
bool repeat_along(const Tensor& t, bool last, Repeated& out);

}  // namespace gyre::conformance
