#include <optional>
#include <string>

#include "gyre/op/apply.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/in_place.h"
#include "gyre/ops/shape/shape.h"
#include "python/core/convert.h"
#include "python/core/devices.h"
#include "python/core/dtypes.h"
#include "python/core/nested_lists.h"
#include "python/tensor/tensor_class.h"

// Methods that are not ops: memory layout, dtypes, in-place writes.

namespace gyre::python {
namespace {

using namespace nb::literals;

// The shape from view(2, 3) or view((2, 3)).
Shape sizes_from(const nb::args& args) {
  return shape_from(args.size() == 1 ? nb::handle(args[0]).ptr() : args.ptr());
}

// f(t), with a reference to t: another thread may assign another tensor to the object meanwhile.
nb::object computed(const Tensor& t, auto f) {
  Tensor result;
  unlocked_if_long(t.numel(), [&result, &f, t] { result = f(t); });
  return tensor_object(std::move(result));
}

Tensor in_one_row(const Tensor& t) { return reshape(t, {t.numel()}); }

nb::object cast(const Tensor& t, DType dtype, bool copy) {
  return computed(
      t, [=](const Tensor& x) { return copy && x.dtype() == dtype ? clone(x) : to(x, dtype); });
}

Tensor on_cpu(const Tensor& t) { return on_device(t, {}); }

// The same memory read as elements of another dtype. Without gradient history; the storage counts
// writes through it.
Tensor bits_as(const Tensor& t, DType dtype) {
  const auto refuse = [&](const char* why) {
    throw Error(Code::value, "view",
                {"cannot read ", t.dtype(), " of shape ", t.shape(), " as ", dtype, ": ", why});
  };
  if (!t.plain()) refuse("it is not a plain tensor");
  Tensor result = t.detach();
  TensorImpl& to = *result.impl();
  const auto from = static_cast<int64_t>(size_of(t.dtype())),
             size = static_cast<int64_t>(size_of(dtype));
  if (reinterpret_cast<uintptr_t>(t.bytes()) % static_cast<uintptr_t>(size) != 0)
    refuse("its memory is not aligned for it; use clone() first");
  to.meta.dtype = dtype;
  if (from == size) return result;
  if (t.rank() == 0) refuse("a 0-d tensor keeps its element size");
  const int last = t.rank() - 1;
  if (t.strides()[last] != 1) refuse("the last axis is not contiguous");
  // numbers of elements become numbers of the others
  const auto scale = [&](int64_t& n) {
    if (n * from % size != 0) refuse("the elements of the last axis do not fill whole ones");
    n = n * from / size;
  };
  scale(to.meta.shape[last]);
  scale(to.offset);
  for (int i = 0; i < last; ++i) scale(to.strides[i]);
  return result;
}

nb::object view(const Tensor& t, const nb::args& sizes, const nb::object& dtype) {
  const bool one = sizes.size() == 1 && !PyIndex_Check(sizes[0].ptr()) && !is_list(sizes[0].ptr());
  if (!dtype.is_none() && sizes.size() > 0)
    wrong_type("view: expected a shape or a dtype, got both");
  if (one || !dtype.is_none()) {
    return tensor_object(bits_as(t, dtype_from(one ? nb::handle(sizes[0]).ptr() : dtype.ptr())));
  }
  Tensor result = reshape(t, sizes.size() ? sizes_from(sizes) : t.shape());
  if (result.impl()->storage.get() != t.impl()->storage.get()) {
    throw Error(Code::value, "view",
                {"cannot view the elements as shape ", result.shape(),
                 "; use reshape(), which copies them"},
                result.shape(), t.shape());
  }
  return tensor_object(result);
}

// x.to(dtype), x.to(device), x.to(other tensor), in any order or by keyword.
nb::object moved(const Tensor& t, const nb::args& args, const nb::object& dtype,
                 const nb::object& device, bool copy) {
  std::optional<DType> wanted;
  std::optional<Device> where;
  auto set = [](auto& to, auto value, const char* what) {
    if (to) wrong_type(std::string("to: expected one ") + what + ", got two " + what + "s");
    to = value;
  };
  if (!dtype.is_none()) set(wanted, dtype_from(dtype.ptr()), "dtype");
  if (!device.is_none()) set(where, device_from(device), "device");
  for (nb::handle arg : args) {
    const Tensor* other = as_tensor(arg.ptr());
    if (other || !names_device(arg))
      set(wanted, other ? other->dtype() : dtype_from(arg.ptr()), "dtype");
    if (other || names_device(arg))
      set(where, other ? other->device() : device_from(arg), "device");
  }
  return computed(t, [&](const Tensor& x) {
    Tensor r = on_device(to(x, wanted.value_or(x.dtype())), where.value_or(x.device()));
    return copy && r.impl() == x.impl() ? clone(r) : r;
  });
}

nb::object stride(const Tensor& t, const nb::object& axis) {
  if (axis.is_none()) return nb::steal(shape_object(t.strides()));
  return nb::cast(t.strides()[normalize_axis(integer_of(axis.ptr()), t.rank(), "stride")]);
}

void add_layout(TensorClass& c) {
  c.def(
       "numel", [](const Tensor& t) { return t.numel(); }, "Number of elements; same as `size`.")
      .def(
          "dim", [](const Tensor& t) { return t.rank(); }, "Number of axes; same as `ndim`.")
      .def("stride", stride, "axis"_a = nb::none(),
           nb::sig("def stride(self, axis: int | None = None) -> typing.Any"),
           "Stride of an axis in elements; without an axis, a tuple of all strides.")
      .def(
          "is_contiguous", [](const Tensor& t) { return t.is_contiguous(); },
          "Whether the elements are contiguous in row-major order.")
      .def(
          "contiguous", [](const Tensor& t) { return computed(t, contiguous); },
          nb::sig("def contiguous(self) -> Tensor"),
          "The tensor itself if it is contiguous, else a contiguous copy.")
      .def("view", view, "shape"_a, nb::kw_only(), "dtype"_a = nb::none(),
           nb::sig("def view(self, *shape: typing.Any, dtype: DTypeLike | None = None) -> Tensor"),
           "A tensor with another shape that shares the memory; ValueError if that needs a copy. "
           "With a dtype in place of a shape, the same bits as that dtype, without gradient "
           "history: the last axis gets longer or shorter.")
      .def(
          "flatten", [](const Tensor& t) { return computed(t, in_one_row); },
          nb::sig("def flatten(self) -> Tensor"), "Flattens to one axis.")
      .def(
          "ravel", [](const Tensor& t) { return computed(t, in_one_row); },
          nb::sig("def ravel(self) -> Tensor"), "Flattens to one axis.")
      .def(
          "copy", [](const Tensor& t) { return computed(t, clone); },
          nb::sig("def copy(self) -> Tensor"), "A contiguous copy.");
}

void add_casts(TensorClass& c) {
  c.def("to", moved, "args"_a, nb::kw_only(), "dtype"_a = nb::none(), "device"_a = nb::none(),
        "copy"_a = false,
        nb::sig("def to(self, *args: DTypeLike | Tensor, dtype: DTypeLike | None = None, "
                "device: typing.Any = None, copy: bool = False) -> Tensor"),
        "Converts to a dtype, moves to a device, or to both of another tensor. Returns the tensor "
        "itself if nothing changes, unless `copy`.")
      .def(
          "astype",
          [](const Tensor& t, const nb::object& dtype, bool copy) {
            return cast(t, dtype_from(dtype.ptr()), copy);
          },
          "dtype"_a, nb::kw_only(), "copy"_a = true,
          nb::sig("def astype(self, dtype: DTypeLike, *, copy: bool = True) -> Tensor"),
          "Converts to a dtype; returns a copy, as in NumPy, unless `copy` is false.")
      .def(
          "cpu", [](const Tensor& t) { return computed(t, on_cpu); },
          nb::sig("def cpu(self) -> Tensor"),
          "The tensor itself if it is on the CPU, else a copy there.")
      .def(
          "is_floating_point", [](const Tensor& t) { return is_floating(t.dtype()); },
          "Whether the dtype is floating point.");
  for (int i = 0; i < kDTypes; ++i) {
    auto dtype = static_cast<DType>(i);
    if (!word_of(dtype)) continue;
    c.def(
        word_of(dtype), [dtype](const Tensor& t) { return cast(t, dtype, false); },
        "Converts to this dtype; returns the tensor itself if it has it already.");
  }
}

// Runs a function that writes all elements, with a reference to them; returns the tensor itself.
nb::object written(nb::handle self, auto write) {
  const Tensor& t = tensor_of_self(self);
  unlocked_if_long(t.numel(), [&write, t] { write(t); });
  return nb::borrow(self);
}

void add_writers(TensorClass& c) {
  c.def(
       "copy_",
       [](nb::handle self, nb::handle values) {
         Tensor from = tensor_of(values.ptr(), DType::f64);
         if (is_list(values.ptr())) require_all_fit(from, tensor_of_self(self).dtype(), "copy_");
         return written(self, [&](const Tensor& t) { copy_(t, from); });
       },
       "values"_a, nb::sig("def copy_(self, values: TensorLike) -> Tensor"),
       "Copies values, which are broadcast, into the tensor in place.")
      .def(
          "fill_",
          [](nb::handle self, nb::handle value) {
            Tensor number = tensor_of(value.ptr());
            if (number.rank() > 0) wrong_type("fill_: expected a number");
            return written(self, [&](const Tensor& t) { copy_(t, number); });
          },
          "value"_a, nb::sig("def fill_(self, value: float) -> Tensor"),
          "Fills the tensor with a number in place.")
      .def(
          "zero_",
          [](nb::handle self) { return written(self, [](const Tensor& t) { fill_(t, 0); }); },
          nb::sig("def zero_(self) -> Tensor"), "Fills the tensor with zeros in place.");
}

}  // namespace

void add_methods(TensorClass& c) {
  add_layout(c);
  add_casts(c);
  add_writers(c);
}

}  // namespace gyre::python
