#pragma once
#include <initializer_list>
#include <span>
#include <vector>

#include "gyre/base/philox.h"
#include "gyre/tensor/tensor.h"

// Creating tensors, from C++ values too, and reading their values. Nothing here is recorded for
// gradients.

namespace gyre {

/// Options of every creation function. `generator` is used by random ones; nullptr: the thread's.
struct TensorOptions {
  DType dtype = DType::f32;
  Device device{};
  bool requires_grad = false;
  Generator* generator = nullptr;
};

/// Error{value} for negative sizes, Error{resource} for too many elements.
Tensor zeros(const Shape& shape, const TensorOptions& options = {});
Tensor ones(const Shape& shape, const TensorOptions& options = {});
/// Filled with `value`, cast as by to(). Error{value} if an integer dtype lacks it.
Tensor full(const Shape& shape, double value, const TensorOptions& options = {});
/// Like full, but one element expanded with stride 0: uses no memory; do not write to it.
Tensor constant(const Shape& shape, double value, const TensorOptions& options = {});

/// With the shape, dtype and device of another tensor.
Tensor empty_like(const Tensor& x);
Tensor zeros_like(const Tensor& x);
Tensor ones_like(const Tensor& x);
Tensor full_like(const Tensor& x, double value);

/// start, start + step, ... below stop (above it for a negative step); [ceil((stop - start) /
/// step)]. Error{value} for a step of 0, numbers that are not finite or that the dtype lacks.
Tensor arange(double start, double stop, double step = 1, const TensorOptions& options = {});
/// [count] evenly spaced numbers from start to stop, inclusive. Error{value} for count < 0.
Tensor linspace(double start, double stop, int64_t count, const TensorOptions& options = {});
/// Identity matrix [rows, columns]: ones on the diagonal. Error{value} for negative sizes.
Tensor eye(int64_t rows, int64_t columns, const TensorOptions& options = {});
inline Tensor eye(int64_t n) { return eye(n, n); }

/// t itself if it is on the device, else a copy; differentiable. Error{unsupported} unless t is
/// plain; Error{unavailable, resource}.
Tensor on_device(const Tensor& t, Device device);

/// A copy of C++ values in row-major order with the dtype of T. Error{shape} if the count differs.
template <class T>
Tensor tensor(std::span<const T> values, const Shape& shape);
template <class T>
Tensor tensor(const std::vector<T>& values, const Shape& shape) {
  return tensor(std::span<const T>(values), shape);
}

/// A number or nested lists, one level per axis of the tensor.
class Nested {
 public:
  template <class T>
    requires std::is_arithmetic_v<T>
  Nested(T value) : value_(static_cast<double>(value)) {}
  Nested(std::initializer_list<Nested> list) : list_(list), is_list_(true) {}

 private:
  friend Tensor tensor(const Nested& values, const TensorOptions& options);
  void measure(int depth, Shape& shape) const;
  void write(double*& to) const;
  double value_ = 0;
  std::initializer_list<Nested> list_;
  bool is_list_ = false;
};

/// tensor({{1, 2}, {3, 4}}). Error{shape} for ragged lists.
Tensor tensor(const Nested& values, const TensorOptions& options = {});

/// The elements in row-major order, cast to T as by to().
template <class T>
std::vector<T> to_vector(const Tensor& x);

// ---- what the templates above call ----

Tensor tensor_from(const void* values, DType dtype, size_t count, const Shape& shape);
void read_elements(const Tensor& x, DType dtype, void* to);

template <class T>
Tensor tensor(std::span<const T> values, const Shape& shape) {
  return tensor_from(values.data(), kDTypeOf<T>, values.size(), shape);
}

template <class T>
std::vector<T> to_vector(const Tensor& x) {
  static_assert(!std::is_same_v<T, bool>, "std::vector<bool> holds bits: ask for uint8_t");
  std::vector<T> r(static_cast<size_t>(x.numel()));
  read_elements(x, kDTypeOf<T>, r.data());
  return r;
}

}  // namespace gyre
