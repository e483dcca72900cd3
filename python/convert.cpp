#include "python/convert.h"

#include <string>
#include <vector>

#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/tensor/dlpack.h"
#include "python/dtypes.h"

namespace gyre::python {

PyTypeObject* tensor_type = nullptr;

PyObject* new_tensor(Tensor t) {
  if (!t.defined()) Py_RETURN_NONE;
  nb::object o = nb::inst_alloc(nb::handle(reinterpret_cast<PyObject*>(tensor_type)));
  new (nb::inst_ptr<Tensor>(o)) Tensor(std::move(t));
  nb::inst_mark_ready(o);
  return o.release().ptr();
}

PyObject* new_tensors(const Tensors& tensors, bool always_tuple) {
  if (tensors.size() == 1 && !always_tuple) return new_tensor(tensors[0]);
  nb::object tuple = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(tensors.size())));
  if (!tuple.is_valid()) throw nb::python_error();
  for (size_t i = 0; i < tensors.size(); ++i) {
    PyTuple_SET_ITEM(tuple.ptr(), static_cast<Py_ssize_t>(i), new_tensor(tensors[i]));
  }
  return tuple.release().ptr();
}

namespace {

// ---- the buffer protocol ----

void release_buffer(void* owner) noexcept {
  if (!Py_IsInitialized()) return;
  nb::gil_scoped_acquire gil;
  auto* buffer = static_cast<Py_buffer*>(owner);
  PyBuffer_Release(buffer);
  delete buffer;
}

struct Buffer {
  Py_buffer* view = new Py_buffer{};
  bool taken = false;
  bool get(PyObject* o, int flags) {
    taken = PyObject_GetBuffer(o, view, flags) == 0;
    return taken;
  }
  ~Buffer() {
    if (taken) PyBuffer_Release(view);
    delete view;
  }
  Meta meta() const {
    Meta m;
    if (!dtype_of_format(view->format ? view->format : "B", view->itemsize, m.dtype)) {
      throw Error(Code::dtype, "tensor",
                  std::string("elements of format '") + (view->format ? view->format : "") +
                      "' are none that gyre stores");
    }
    for (int i = 0; i < view->ndim; ++i) m.shape.push_back(view->shape[i]);
    return m;
  }
};

Tensor share_buffer(PyObject* o) {
  Buffer buffer;
  if (!buffer.get(o, PyBUF_RECORDS)) {
    PyErr_Clear();
    throw Error(Code::value, "share", "the memory must not be written");
  }
  Meta meta = buffer.meta();
  Shape strides;
  for (int i = 0; i < meta.shape.rank; ++i) {
    int64_t stride = buffer.view->strides[i];
    if ((stride < 0 && meta.shape[i] > 1) || stride % buffer.view->itemsize) {
      throw Error(Code::value, "share", "strides that are negative or no multiple of an element");
    }
    strides.push_back(stride < 0 ? 0 : stride / buffer.view->itemsize);
  }
  Tensor t = borrow(buffer.view->buf, meta, strides, buffer.view, release_buffer);
  buffer.view = nullptr;
  buffer.taken = false;
  return t;
}

Tensor copy_buffer(PyObject* o) {
  Buffer buffer;
  if (!buffer.get(o, PyBUF_RECORDS_RO)) throw nb::python_error();
  Tensor t = empty(buffer.meta());
  if (PyBuffer_ToContiguous(t.bytes(), buffer.view, buffer.view->len, 'C')) {
    throw nb::python_error();
  }
  return t;
}

// ---- DLPack ----

nb::object capsule_of(PyObject* o) {
  nb::object ask = nb::borrow(o).attr("__dlpack__");
  try {
    return ask(nb::arg("max_version") = nb::make_tuple(1, 0));
  } catch (nb::python_error& e) {
    if (!e.matches(PyExc_TypeError)) throw;
  }
  return ask();
}

template <class M>
Tensor open_capsule(const nb::object& capsule, const char* name, const char* used) {
  Tensor t = from_dlpack(static_cast<M*>(PyCapsule_GetPointer(capsule.ptr(), name)));
  PyCapsule_SetName(capsule.ptr(), used);
  return t;
}

Tensor share_dlpack(PyObject* o) {
  nb::object capsule = capsule_of(o);
  if (PyCapsule_IsValid(capsule.ptr(), "dltensor")) {
    return open_capsule<dlpack::Managed>(capsule, "dltensor", "used_dltensor");
  }
  if (PyCapsule_IsValid(capsule.ptr(), "dltensor_versioned")) {
    return open_capsule<dlpack::VersionedManaged>(capsule, "dltensor_versioned",
                                                  "used_dltensor_versioned");
  }
  wrong_type("__dlpack__ gave no capsule of DLPack");
}

// ---- nested lists ----

struct Numbers {
  std::vector<double> values;
  std::vector<int64_t> whole;  // the same, while all are integers
  bool all_whole = true, all_boolean = true;
};

bool is_list(PyObject* o) { return PyList_Check(o) || PyTuple_Check(o); }

void measure(PyObject* o, Shape& shape) {
  while (is_list(o)) {
    shape.push_back(PySequence_Size(o));
    if (shape.back() == 0) return;
    o = PySequence_Fast_GET_ITEM(o, 0);
  }
}

void gather(PyObject* o, const Shape& shape, int depth, Numbers& out) {
  if (depth < shape.rank) {
    if (!is_list(o) || PySequence_Size(o) != shape[depth]) {
      throw Error(Code::shape, "tensor",
                  "ragged lists: not all at depth " + std::to_string(depth) + " have " +
                      std::to_string(shape[depth]) + " items");
    }
    for (int64_t i = 0; i < shape[depth]; ++i) {
      gather(PySequence_Fast_GET_ITEM(o, i), shape, depth + 1, out);
    }
    return;
  }
  if (is_list(o)) throw Error(Code::shape, "tensor", "ragged lists: some are deeper than others");
  out.all_boolean &= PyBool_Check(o) != 0;
  if (out.all_whole && PyIndex_Check(o)) {
    out.whole.push_back(integer_of(o));
  } else {
    out.all_whole = false;
  }
  double value = PyFloat_AsDouble(o);
  if (value == -1 && PyErr_Occurred()) throw nb::python_error();
  out.values.push_back(value);
}

Tensor from_lists(PyObject* o) {
  Shape shape;
  measure(o, shape);
  Numbers numbers;
  gather(o, shape, 0, numbers);
  if (numbers.values.empty()) return empty(shape);
  if (!numbers.all_whole) return to(tensor(numbers.values, shape), DType::f32);
  Tensor whole = tensor(numbers.whole, shape);
  return numbers.all_boolean ? to(whole, DType::boolean) : whole;
}

bool has_buffer(PyObject* o) {
  return PyObject_CheckBuffer(o) && !PyBytes_Check(o) && !PyByteArray_Check(o);
}
bool has_dlpack(PyObject* o) { return PyObject_HasAttrString(o, "__dlpack__"); }

Tensor share_or_copy(PyObject* o) {
  try {
    return share(o);
  } catch (const Error& e) {
    if (e.code != Code::value || !has_buffer(o)) throw;
  }
  return copy_buffer(o);
}

}  // namespace

Tensor share(PyObject* o) {
  if (const Tensor* t = as_tensor(o)) return *t;
  if (has_buffer(o)) return share_buffer(o);
  if (has_dlpack(o)) return share_dlpack(o);
  wrong_type(std::string("an array is wanted, got ") + Py_TYPE(o)->tp_name);
}

bool is_array(PyObject* o) { return as_tensor(o) || has_buffer(o) || has_dlpack(o); }

Tensor tensor_of(PyObject* o) {
  if (const Tensor* t = as_tensor(o)) return *t;
  if (PyFloat_Check(o)) return Tensor(PyFloat_AS_DOUBLE(o));
  if (PyLong_Check(o)) return Tensor(integer_of(o));
  if (is_list(o)) return from_lists(o);
  if (has_buffer(o) || has_dlpack(o)) return share_or_copy(o);
  wrong_type(std::string("a tensor, an array, a number or lists of numbers are wanted, got ") +
             Py_TYPE(o)->tp_name);
}

Tensor tensor_or_none(PyObject* o) { return o == Py_None ? Tensor() : tensor_of(o); }

Tensors tensors_of(PyObject* o) {
  if (o == Py_None || PyFloat_Check(o) || PyLong_Check(o) || is_array(o)) {
    return {tensor_or_none(o)};
  }
  Tensors list;
  for (nb::handle item : nb::iter(nb::handle(o))) list.push_back(tensor_or_none(item.ptr()));
  return list;
}

// ---- numbers and shapes ----

int64_t integer_of(PyObject* o) {
  nb::object index = nb::steal(PyNumber_Index(o));
  int64_t value = index.is_valid() ? PyLong_AsLongLong(index.ptr()) : -1;
  if (value == -1 && PyErr_Occurred()) throw nb::python_error();
  return value;
}

Shape shape_from(PyObject* o) {
  Shape s;
  if (PyIndex_Check(o)) {
    s.push_back(integer_of(o));
    return s;
  }
  nb::object items = nb::steal(PySequence_Fast(o, "an int or a sequence of ints is wanted"));
  if (!items.is_valid()) throw nb::python_error();
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items.ptr()); ++i) {
    s.push_back(integer_of(PySequence_Fast_GET_ITEM(items.ptr(), i)));
  }
  return s;
}

PyObject* shape_object(const Shape& s) {
  nb::object tuple = nb::steal(PyTuple_New(s.rank));
  if (!tuple.is_valid()) throw nb::python_error();
  for (int i = 0; i < s.rank; ++i) {
    PyTuple_SET_ITEM(tuple.ptr(), i, PyLong_FromLongLong(s[i]));
  }
  return tuple.release().ptr();
}

}  // namespace gyre::python
