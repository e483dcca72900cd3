#include <vector>

#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "python/core/convert.h"
#include "python/core/nested_lists.h"
#include "python/tensor/subscripts.h"
#include "python/tensor/tensor_class.h"

// Protocols of Python's syntax: length, iteration, subscripts, numbers, truth value.

namespace gyre::python {
namespace {

using namespace nb::literals;

// Nested lists of values in row-major order.
template <class T, class Make>
nb::object lists_of(const std::vector<T>& values, const Shape& shape, int axis, size_t& next,
                    Make make) {
  if (axis == shape.rank) return make(values[next++]);
  nb::object list = nb::steal(PyList_New(static_cast<Py_ssize_t>(shape[axis])));
  if (!list.is_valid()) throw nb::python_error();
  for (int64_t i = 0; i < shape[axis]; ++i) {
    nb::object part = lists_of(values, shape, axis + 1, next, make);
    PyList_SET_ITEM(list.ptr(), static_cast<Py_ssize_t>(i), part.release().ptr());
  }
  return list;
}

// ---- type slots, which are cheaper to call than nanobind functions ----

Py_ssize_t length(PyObject* self) {
  Py_ssize_t n = -1;
  guarded([&] {
    const Tensor& t = *as_tensor(self);
    if (t.rank() == 0) wrong_type("len() of a 0-d tensor");
    n = t.shape()[0];
    return Py_None;
  });
  return n;
}

PyObject* element(PyObject* self, Py_ssize_t i) {
  return guarded([&] { return new_tensor(select(*as_tensor(self), {0, i})); });
}

PyObject* get_part(PyObject* self, PyObject* key) {
  return guarded([&] { return new_tensor(part_of(*as_tensor(self), key)); });
}

int write_part(PyObject* self, PyObject* key, PyObject* value) {
  PyObject* done = guarded([&] {
    if (!value) wrong_type("elements of a tensor cannot be deleted");
    const Tensor& to = *as_tensor(self);
    const Tensor from = tensor_of(value, DType::f64);
    if (is_list(value)) require_all_fit(from, to.dtype(), "setitem");
    set_part(to, key, from);
    return Py_None;
  });
  return done ? 0 : -1;
}

// Iterates lazily.
PyObject* iterate(PyObject* self) {
  return guarded([&] {
    if (as_tensor(self)->rank() == 0) wrong_type("iteration over a 0-d tensor");
    return PySeqIter_New(self);
  });
}

bool contains(const Tensor& t, nb::handle value) {
  NoGrad off;
  return any(eq(t, tensor_of(value.ptr(), floats_beside(t)))).item() != 0;
}

bool truth(const Tensor& t) {
  if (t.numel() != 1) {
    throw Error(
        Code::value, "bool",
        t.numel()
            ? "the truth value of a tensor with several elements is ambiguous; use any() or all()"
            : "the truth value of an empty tensor is ambiguous; use numel() to test for elements");
  }
  return t.item() != 0;
}

nb::object index_of(const Tensor& t) {
  if (is_floating(t.dtype())) wrong_type("only an integer tensor can be used as an index");
  if (t.numel() != 1) wrong_type("only a tensor with one element can be used as an index");
  return nb::int_(item(t));
}

// item(2, 0), item((2, 0)), and item(5) of the elements in order.
nb::object item_at(const Tensor& t, const Shape& places) {
  Tensor part = places.rank == 1 ? reshape(t, {t.numel()}) : t;
  if (places.rank != part.rank()) {
    throw Error(Code::index, "item", {"expected ", t.rank(), " indices, got ", places.rank});
  }
  for (int64_t place : places) part = select(part, {0, place});
  return item(part);
}

// Python's own way of calls is a fifth faster than nanobind's with two overloads.
PyObject* item_method(PyObject* self, PyObject* const* args, Py_ssize_t n) {
  return guarded([&] {
    const Tensor& t = *as_tensor(self);
    if (n == 0) return item(t).release().ptr();
    if (n == 1) return item_at(t, shape_from(args[0])).release().ptr();
    Shape places;
    for (Py_ssize_t i = 0; i < n; ++i) places.push_back(integer_of(args[i]));
    return item_at(t, places).release().ptr();
  });
}

PyMethodDef kMethods[] = {
    {"item", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(item_method)), METH_FASTCALL,
     "item($self, *index)\n--\n\n"
     "The single element as a Python number; given an index, item(2, 0), or a place among all in "
     "order, item(5), that element."},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

std::array<PyType_Slot, 7> sequence_slots() {
  return {{{Py_mp_length, reinterpret_cast<void*>(length)},
           {Py_sq_length, reinterpret_cast<void*>(length)},
           {Py_sq_item, reinterpret_cast<void*>(element)},
           {Py_mp_subscript, reinterpret_cast<void*>(get_part)},
           {Py_mp_ass_subscript, reinterpret_cast<void*>(write_part)},
           {Py_tp_iter, reinterpret_cast<void*>(iterate)},
           {Py_tp_methods, kMethods}}};
}

nb::object item(const Tensor& t) {
  double value = t.item();
  if (t.dtype() == DType::boolean) return nb::cast(value != 0);
  if (is_floating(t.dtype())) return nb::cast(value);
  if (t.dtype() == DType::u64) return nb::cast(to_vector<uint64_t>(t)[0]);
  return nb::cast(to_vector<int64_t>(t)[0]);
}

nb::object nested(const Tensor& t) {
  size_t next = 0;
  if (is_floating(t.dtype())) {
    return lists_of(to_vector<double>(t), t.shape(), 0, next, [](double v) { return nb::cast(v); });
  }
  if (t.dtype() == DType::u64) {
    return lists_of(to_vector<uint64_t>(t), t.shape(), 0, next,
                    [](uint64_t v) { return nb::cast(v); });
  }
  bool is_truth = t.dtype() == DType::boolean;
  return lists_of(to_vector<int64_t>(t), t.shape(), 0, next, [is_truth](int64_t v) -> nb::object {
    return is_truth ? nb::cast(v != 0) : nb::cast(v);
  });
}

void add_protocols(TensorClass& c) {
  c.def("__contains__", contains, nb::sig("def __contains__(self, value: TensorLike, /) -> bool"))
      .def("__float__", [](const Tensor& t) { return t.item(); })
      .def(
          "__int__", [](const Tensor& t) { return nb::int_(item(t)); },
          nb::sig("def __int__(self) -> int"))
      .def("__index__", index_of, nb::sig("def __index__(self) -> int"))
      .def("__bool__", truth)
      .def(
          "__hash__", [](nb::handle self) { return reinterpret_cast<uintptr_t>(self.ptr()) >> 4; },
          nb::sig("def __hash__(self) -> int"))
      .def("tolist", nested, nb::sig("def tolist(self) -> typing.Any"),
           "Nested lists of Python numbers; a number for a 0-d tensor.");
  c.attr("__array_ufunc__") = nb::none();  // so that array + tensor is a gyre.Tensor
  c.attr("__array_priority__") = 1000.0;   // for libraries that check this instead
}

}  // namespace gyre::python
