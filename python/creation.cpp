#include "gyre/ops/create/create.h"

#include "python/convert.h"
#include "python/dtypes.h"
#include "python/module.h"

namespace gyre::python {
namespace {

using namespace nb::literals;

TensorOptions options(const nb::object& dtype, bool requires_grad) {
  return {.dtype = dtype.is_none() ? DType::f32 : dtype_from(dtype.ptr()),
          .requires_grad = requires_grad};
}

nb::object given(Tensor t) { return nb::steal(new_tensor(std::move(t))); }

}  // namespace

void add_creation(nb::module_& m) {
  m.def(
      "zeros",
      [](nb::handle shape, const nb::object& dtype, bool grad) {
        return given(zeros(shape_from(shape.ptr()), options(dtype, grad)));
      },
      "shape"_a, "dtype"_a = nb::none(), "requires_grad"_a = false);
  m.def(
      "ones",
      [](nb::handle shape, const nb::object& dtype, bool grad) {
        return given(ones(shape_from(shape.ptr()), options(dtype, grad)));
      },
      "shape"_a, "dtype"_a = nb::none(), "requires_grad"_a = false);
  m.def(
      "full",
      [](nb::handle shape, double value, const nb::object& dtype, bool grad) {
        return given(full(shape_from(shape.ptr()), value, options(dtype, grad)));
      },
      "shape"_a, "value"_a, "dtype"_a = nb::none(), "requires_grad"_a = false);
  m.def(
      "arange",
      [](double start, const nb::object& stop, double step, const nb::object& dtype) {
        bool one = stop.is_none();
        return given(arange(one ? 0 : start, one ? start : nb::cast<double>(stop), step,
                            options(dtype, false)));
      },
      "start"_a, "stop"_a = nb::none(), "step"_a = 1, "dtype"_a = nb::none());
  m.def(
      "linspace",
      [](double start, double stop, int64_t count, const nb::object& dtype) {
        return given(linspace(start, stop, count, options(dtype, false)));
      },
      "start"_a, "stop"_a, "count"_a, "dtype"_a = nb::none());
  m.def(
      "eye",
      [](int64_t rows, const nb::object& columns, const nb::object& dtype) {
        return given(eye(rows, columns.is_none() ? rows : nb::cast<int64_t>(columns),
                         options(dtype, false)));
      },
      "rows"_a, "columns"_a = nb::none(), "dtype"_a = nb::none());
  m.def("zeros_like", [](const Tensor& x) { return given(zeros_like(x)); });
  m.def("ones_like", [](const Tensor& x) { return given(ones_like(x)); });
  m.def(
      "from_numpy", [](nb::handle array) { return given(share(array.ptr())); }, "array"_a,
      "A tensor over the memory of a NumPy array.");
  m.def(
      "from_torch", [](nb::handle tensor) { return given(share(tensor.attr("detach")().ptr())); },
      "tensor"_a, "A tensor over the memory of a PyTorch tensor, without its history.");
  m.def(
      "from_dlpack", [](nb::handle array) { return given(share(array.ptr())); }, "array"_a,
      "A tensor over the memory of anything with __dlpack__ or the buffer protocol.");
  m.def("manual_seed", manual_seed, "seed"_a, "Restarts the random numbers of this thread.");
}

}  // namespace gyre::python
