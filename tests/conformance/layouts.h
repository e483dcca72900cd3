#pragma once
#include "tests/conformance/values.h"

namespace gyre::conformance {

/// How an operand lies in memory. transposed: axes reversed. stepped: every second element of a
/// larger buffer. offset: from the fourth element of its storage on, so off the 64-byte boundary.
/// Gaps hold NaN (or all bits set).
enum class Order : uint8_t { plain, transposed, stepped, offset };
inline constexpr Order kOrders[] = {Order::plain, Order::transposed, Order::stepped, Order::offset};
const char* name_of(Order order);

/// A tensor of these values (rounded to dtype) in that layout.
Tensor lay_out(const Values& values, const Shape& shape, DType dtype, Order order = Order::plain);

/// The same values in that layout and dtype; an empty Tensor stays empty.
Tensor lay_out(const Tensor& t, DType dtype, Order order);

/// t with index 0 of one axis everywhere along it: `dense` holds it in full, `strided` by stride 0.
/// The axis is the first longer than 1, or the last; false when there is none.
struct Repeated {
  Tensor dense, strided;
};
bool repeat_along(const Tensor& t, bool last, Repeated& out);

}  // namespace gyre::conformance
