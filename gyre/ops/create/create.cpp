#include "gyre/ops/create/create.h"

#include <fmt/core.h>

#include <cmath>

#include "gyre/base/error.h"
#include "gyre/base/thread_pool.h"
#include "gyre/kernel/copy.h"
#include "gyre/kernel/strided.h"
#include "gyre/op/apply.h"
#include "gyre/op/literals.h"

namespace gyre {

struct OnDeviceAttrs {
  std::string device;
};
GYRE_FIELDS(OnDeviceAttrs, GYRE_FIELD(device, "device of the copy"));

namespace {

void move(const View& from, const Tensor& to) {
  check(copy_def, copy_elements(from, memory_of(to)));
}

Tensor finish(Tensor t, const TensorOptions& options) {
  if (options.requires_grad) t.set_requires_grad();
  return t;
}

// Element i in row-major order is value(i).
Tensor by_index(const Shape& shape, const TensorOptions& options, auto value) {
  Tensor t = empty(shape, options.dtype);
  Convert store = store_of(Compute::f64, options.dtype);
  auto size = static_cast<int64_t>(size_of(options.dtype));
  parallel_for(t.numel(), kGrain, [&](int64_t begin, int64_t end) {
    double piece[kTile];
    for (int64_t i = begin; i < end; i += kTile) {
      int64_t n = end - i < kTile ? end - i : kTile;
      for (int64_t j = 0; j < n; ++j) piece[j] = value(i + j);
      store(piece, t.bytes() + i * size, n);
    }
  });
  return finish(on_device(t, options.device), options);
}

View of_double(const double& value) {
  View v;
  v.data = reinterpret_cast<std::byte*>(const_cast<double*>(&value));
  v.dtype = DType::f64;
  return v;
}

void check_finite(const char* op, std::initializer_list<double> numbers) {
  for (double x : numbers) {
    if (!std::isfinite(x)) throw Error(Code::value, op, "arguments must be finite", "finite", x);
  }
}

void check_not_negative(const char* op, int64_t n) {
  if (n < 0) throw Error(Code::value, op, "sizes must not be negative", ">= 0", n);
}

std::string list_of(int64_t size) { return "a list of " + std::to_string(size); }

[[noreturn]] void refuse_ragged(int depth, const std::string& first, const std::string& other) {
  throw Error(
      Code::shape, "tensor",
      {"expected nested lists of equal length, got ", first, " and ", other, " at depth ", depth},
      first, other);
}

TensorOptions options_of(const Tensor& x) { return {x.dtype(), x.device()}; }

constinit const OpDef on_device_def{
    .name = "on_device",
    .doc = "copy on another device",
    .attrs = &record_of<OnDeviceAttrs>,
    .compose = [](const OpDef&, const void* attrs, Inputs in) -> Tensors {
      Device device = device_of(attrs_as<OnDeviceAttrs>(attrs).device);
      Tensor there = empty(in[0].shape(), in[0].dtype(), device);
      move(memory_of(in[0]), there);
      return {there};
    },
    .vjp = [](const VjpArgs& a) -> Tensors { return {on_device(a.grad[0], a.in_meta[0].device)}; }};

}  // namespace

Tensor on_device(const Tensor& t, Device device) {
  return t.device() == device
             ? t
             : apply_one(on_device_def, {t}, box(OnDeviceAttrs{to_string(device)}));
}

Tensor full(const Shape& shape, double value, const TensorOptions& options) {
  require_fit(Tensor(value), options.dtype, "full");
  Tensor t = empty(shape, options.dtype, options.device);
  move(of_double(value), t);
  return finish(std::move(t), options);
}

Tensor constant(const Shape& shape, double value, const TensorOptions& options) {
  check_shape(shape, size_of(options.dtype), "constant");
  Shape strides;
  for (int i = 0; i < shape.rank; ++i) strides.push_back(0);
  return finish(make_view(full({}, value, {options.dtype, options.device}), shape, strides, 0),
                options);
}

Tensor zeros(const Shape& shape, const TensorOptions& options) { return full(shape, 0, options); }
Tensor ones(const Shape& shape, const TensorOptions& options) { return full(shape, 1, options); }
Tensor empty_like(const Tensor& x) { return empty(x.shape(), x.dtype(), x.device()); }
Tensor zeros_like(const Tensor& x) { return full_like(x, 0); }
Tensor ones_like(const Tensor& x) { return full_like(x, 1); }
Tensor full_like(const Tensor& x, double value) { return full(x.shape(), value, options_of(x)); }

Tensor arange(double start, double stop, double step, const TensorOptions& options) {
  check_finite("arange", {start, stop, step});
  if (step == 0) throw Error(Code::value, "arange", "step must not be 0", "not 0", "0");
  double count = std::ceil((stop - start) / step);
  if (count >= 0x1p62) throw Error(Code::resource, "arange", "too many elements", {}, count);
  if (count > 0) {
    require_fit(Tensor(start), options.dtype, "arange");
    require_fit(Tensor(start + (count - 1) * step), options.dtype, "arange");
  }
  return by_index({count > 0 ? static_cast<int64_t>(count) : 0}, options,
                  [=](int64_t i) { return start + static_cast<double>(i) * step; });
}

Tensor linspace(double start, double stop, int64_t count, const TensorOptions& options) {
  check_finite("linspace", {start, stop});
  check_not_negative("linspace", count);
  for (const double end : {start, stop}) require_fit(Tensor(end), options.dtype, "linspace");
  double step = count > 1 ? (stop - start) / static_cast<double>(count - 1) : 0;
  // computed from the nearer end, so that both ends are exact
  return by_index({count}, options, [=](int64_t i) {
    return i < (count + 1) / 2 ? start + static_cast<double>(i) * step
                               : stop - static_cast<double>(count - 1 - i) * step;
  });
}

Tensor eye(int64_t rows, int64_t columns, const TensorOptions& options) {
  check_not_negative("eye", rows);
  check_not_negative("eye", columns);
  TensorOptions plain = options;
  plain.requires_grad = false;
  Tensor t = zeros({rows, columns}, plain);
  View diagonal = memory_of(t);
  diagonal.shape = {rows < columns ? rows : columns};
  diagonal.strides = {columns + 1};
  check(copy_def, copy_elements(of_double(1), diagonal));
  return finish(std::move(t), options);
}

Tensor tensor_from(const void* values, DType dtype, size_t count, const Shape& shape) {
  check_shape(shape, size_of(dtype), "tensor");
  if (static_cast<int64_t>(count) != numel(shape)) {
    throw Error(Code::shape, "tensor", {count, " values do not match shape ", shape}, numel(shape),
                count);
  }
  Tensor t = empty(shape, dtype);
  View from = view_of(t);
  from.data = static_cast<std::byte*>(const_cast<void*>(values));
  move(from, t);
  return t;
}

void read_elements(const Tensor& x, DType dtype, void* to) {
  const View from = x.defined() && x.plain() ? memory_of(x) : view_of(x);
  const Shape strides = contiguous_strides(x.shape());  // which refuses an empty Tensor
  check(copy_def, copy_elements(from, {static_cast<std::byte*>(to), x.shape(), strides, dtype}));
}

// Sets `shape` on the path to the first number and compares with it elsewhere.
void Nested::measure(int depth, Shape& shape) const {
  bool first = depth >= shape.rank;
  if (!is_list_) {
    if (!first) refuse_ragged(depth, list_of(shape[depth]), "a number");
    return;
  }
  auto size = static_cast<int64_t>(list_.size());
  if (first) {
    shape.push_back(size);
  } else if (shape[depth] != size) {
    refuse_ragged(depth, list_of(shape[depth]), list_of(size));
  }
  bool seen = false;
  for (const Nested& entry : list_) {
    // after the first entry the depth below is known: an entry may be neither shallower nor deeper
    int below = shape.rank;
    entry.measure(depth + 1, shape);
    if (seen && shape.rank != below) refuse_ragged(below, "a number", list_of(shape[below]));
    seen = true;
  }
}

void Nested::write(double*& to) const {
  if (!is_list_) *to++ = value_;
  for (const Nested& entry : list_) entry.write(to);
}

Tensor tensor(const Nested& values, const TensorOptions& options) {
  Shape shape;
  values.measure(0, shape);
  Tensor wide = empty(shape, DType::f64);
  double* to = wide.data<double>();
  values.write(to);
  Tensor t = empty(shape, options.dtype, options.device);
  move(memory_of(wide), t);
  return finish(std::move(t), options);
}

}  // namespace gyre
