#include "tests/conformance/layouts.h"

#include <cstring>

#include "gyre/ops/elements.h"

namespace gyre::conformance {
namespace {

Shape strides_of(const Shape& shape, Order order) {
  Shape strides = contiguous_strides(shape);
  if (order == Order::stepped) {
    for (int64_t& s : strides) s *= 2;
  }
  if (order == Order::transposed) {
    const bool empty = numel(shape) == 0;  // its sizes may overflow
    int64_t n = 1;
    for (int i = 0; i < shape.rank; ++i) {
      strides[i] = n;
      n *= shape[i] > 1 && !empty ? shape[i] : 1;
    }
  }
  return strides;
}

}  // namespace

const char* name_of(Order order) {
  constexpr const char* kNames[] = {"plain", "transposed", "stepped", "offset"};
  return kNames[static_cast<int>(order)];
}

Tensor lay_out(const Values& values, const Shape& shape, DType dtype, Order order) {
  auto n = static_cast<int64_t>(values.size());
  int64_t offset = order == Order::offset ? 3 : 0;
  int64_t held = order == Order::stepped ? 2 * n : n + offset;
  Tensor all = order == Order::plain ? empty(shape, dtype) : empty(Shape{held}, dtype);
  std::memset(all.bytes(), dtype == DType::boolean ? 1 : 0xFF, all.impl()->storage->bytes);
  Tensor t = all;
  if (order != Order::plain) t = make_view(all, shape, strides_of(shape, order), offset);
  visit_dtype(dtype, [&]<class T>(T) {
    const double* value = values.data();
    std::byte* to = t.bytes();
    each_offset(shape, t.strides(), [&](int64_t offset) {
      const T x = stored<T>(rounded(*value++, kDTypeOf<T>));
      std::memcpy(to + offset * static_cast<int64_t>(sizeof x), &x, sizeof x);
    });
  });
  return t;
}

Tensor lay_out(const Tensor& t, DType dtype, Order order) {
  if (!t.defined() || !t.plain()) return t;
  return lay_out(values_of(t), t.shape(), dtype, order);
}

bool repeat_along(const Tensor& t, bool last, Repeated& out) {
  if (!t.defined() || !t.plain() || t.numel() == 0) return false;
  int axis = -1;
  for (int i = 0; i < t.rank(); ++i) {
    if (t.shape()[i] > 1 && (axis < 0 || last)) axis = i;
  }
  if (axis < 0) return false;
  Shape strides = t.strides();
  strides[axis] = 0;
  out.strided = make_view(t, t.shape(), strides, t.impl()->offset);
  out.dense = lay_out(out.strided, t.dtype(), Order::plain);
  return true;
}

}  // namespace gyre::conformance
