#include <string>

#include "gyre/op/apply.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/in_place.h"
#include "gyre/ops/shape/shape.h"
#include "python/core/convert.h"
#include "python/core/dtypes.h"
#include "python/tensor/tensor_class.h"

// Methods that are no ops: where elements lie, what they are, writing all of them.

namespace gyre::python {
namespace {

using namespace nb::literals;

nb::object given(Tensor t) { return nb::steal(new_tensor(std::move(t))); }

// The sizes of view(2, 3) or view((2, 3)).
Shape sizes_from(const nb::args& args) {
  return shape_from(args.size() == 1 ? nb::handle(args[0]).ptr() : args.ptr());
}

// f(t), which holds t: another thread may meanwhile put another tensor into the object.
template <class F>
nb::object computed(const Tensor& t, F f) {
  Tensor result;
  unlocked_if_long(t.numel(), [&result, &f, t] { result = f(t); });
  return given(std::move(result));
}

Tensor in_one_row(const Tensor& t) { return reshape(t, {t.numel()}); }

nb::object cast(const Tensor& t, DType dtype, bool copy) {
  return computed(
      t, [=](const Tensor& x) { return copy && x.dtype() == dtype ? clone(x) : to(x, dtype); });
}

nb::object view(const Tensor& t, const nb::args& sizes) {
  Tensor result = reshape(t, sizes_from(sizes));
  if (result.impl()->storage.get() != t.impl()->storage.get()) {
    throw Error(Code::value, "view",
                "the elements do not lie in the order that " + to_string(result.shape()) +
                    " wants: use reshape(), which copies them",
                to_string(result.shape()), to_string(t.shape()));
  }
  return given(result);
}

void check_device(nb::handle name) {
  Device device = device_of(nb::cast<std::string>(nb::str(name)));
  if (device.kind == Device::cpu) return;
  throw Error(Code::unavailable, "to", to_string(device) + " is not available");
}

// x.to(dtype), x.to(device), x.to(other tensor), in any order and by name.
nb::object moved(const Tensor& t, const nb::args& args, const nb::object& dtype,
                 const nb::object& device, bool copy) {
  DType wanted = dtype.is_none() ? t.dtype() : dtype_from(dtype.ptr());
  if (!device.is_none()) check_device(device);
  for (nb::handle arg : args) {
    std::string text = nb::isinstance<nb::str>(arg) ? nb::cast<std::string>(arg) : "";
    if (const Tensor* other = as_tensor(arg.ptr())) {
      wanted = other->dtype();
    } else if (text.rfind("cpu", 0) == 0 || text.rfind("cuda", 0) == 0) {
      check_device(arg);
    } else {
      wanted = dtype_from(arg.ptr());
    }
  }
  return cast(t, wanted, copy);
}

nb::object stride(const Tensor& t, const nb::object& axis) {
  if (axis.is_none()) return nb::steal(shape_object(t.strides()));
  return nb::cast(t.strides()[normalize_axis(integer_of(axis.ptr()), t.rank(), "stride")]);
}

void add_layout(TensorClass& c) {
  c.def(
       "numel", [](const Tensor& t) { return t.numel(); }, "The number of elements, as `size`.")
      .def(
          "dim", [](const Tensor& t) { return t.rank(); }, "The number of axes, as `ndim`.")
      .def("stride", stride, "axis"_a = nb::none(),
           nb::sig("def stride(self, axis: int | None = None) -> typing.Any"),
           "The distance in memory of neighbours along an axis, in elements; of all axes, a tuple.")
      .def(
          "is_contiguous", [](const Tensor& t) { return t.is_contiguous(); },
          "Whether the elements lie in row-major order without gaps.")
      .def(
          "contiguous", [](const Tensor& t) { return computed(t, contiguous); },
          nb::sig("def contiguous(self) -> Tensor"),
          "Itself where it is contiguous, else a copy that is.")
      .def("view", view, nb::sig("def view(self, *shape: typing.Any) -> Tensor"),
           "The same memory with other sizes. ValueError where that needs a copy.")
      .def(
          "flatten", [](const Tensor& t) { return computed(t, in_one_row); },
          nb::sig("def flatten(self) -> Tensor"), "All elements along one axis.")
      .def(
          "ravel", [](const Tensor& t) { return computed(t, in_one_row); },
          nb::sig("def ravel(self) -> Tensor"), "All elements along one axis.")
      .def(
          "copy", [](const Tensor& t) { return computed(t, clone); },
          nb::sig("def copy(self) -> Tensor"), "A new contiguous tensor with the same values.");
}

void add_casts(TensorClass& c) {
  c.def("to", moved, "args"_a, nb::kw_only(), "dtype"_a = nb::none(), "device"_a = nb::none(),
        "copy"_a = false,
        nb::sig("def to(self, *args: DTypeLike | Tensor, dtype: DTypeLike | None = None, "
                "device: str | None = None, copy: bool = False) -> Tensor"),
        "The values in another dtype or that of another tensor; itself where nothing changes, "
        "unless `copy`. The one device is \"cpu\".")
      .def(
          "astype",
          [](const Tensor& t, const nb::object& dtype, bool copy) {
            return cast(t, dtype_from(dtype.ptr()), copy);
          },
          "dtype"_a, nb::kw_only(), "copy"_a = true,
          nb::sig("def astype(self, dtype: DTypeLike, *, copy: bool = True) -> Tensor"),
          "The values in another dtype; a copy, as in NumPy, unless `copy` is false.")
      .def(
          "cpu", [](nb::handle self) { return nb::borrow(self); },
          nb::sig("def cpu(self) -> Tensor"), "Itself: the one device is the CPU.")
      .def(
          "is_floating_point", [](const Tensor& t) { return is_floating(t.dtype()); },
          "Whether elements are floats.");
  for (int i = 0; i < kDTypes; ++i) {
    auto dtype = static_cast<DType>(i);
    if (!word_of(dtype)) continue;
    c.def(
        word_of(dtype), [dtype](const Tensor& t) { return cast(t, dtype, false); },
        "The values in this dtype; itself where it has that one.");
  }
}

// Runs a writer of all elements, which holds them, and gives the tensor itself.
template <class F>
nb::object written(nb::handle self, F write) {
  const Tensor& t = *nb::inst_ptr<Tensor>(self);
  unlocked_if_long(t.numel(), [&write, t] { write(t); });
  return nb::borrow(self);
}

void add_writers(TensorClass& c) {
  c.def(
       "copy_",
       [](nb::handle self, nb::handle values) {
         Tensor from = tensor_of(values.ptr(), DType::f64);
         return written(self, [&](const Tensor& t) { copy_(t, from); });
       },
       "values"_a, nb::sig("def copy_(self, values: TensorLike) -> Tensor"),
       "Writes values, which broadcast, into this memory.")
      .def(
          "fill_",
          [](nb::handle self, nb::handle value) {
            Tensor number = tensor_of(value.ptr());
            if (number.rank() > 0) wrong_type("fill_ takes a number");
            return written(self, [&](const Tensor& t) { copy_(t, number); });
          },
          "value"_a, nb::sig("def fill_(self, value: float) -> Tensor"),
          "Writes a number into every element.")
      .def(
          "zero_",
          [](nb::handle self) { return written(self, [](const Tensor& t) { fill_(t, 0); }); },
          nb::sig("def zero_(self) -> Tensor"), "Writes zeros.");
}

}  // namespace

void add_methods(TensorClass& c) {
  add_layout(c);
  add_casts(c);
  add_writers(c);
}

}  // namespace gyre::python
