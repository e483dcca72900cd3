#include "python/core/size.h"

#include "python/core/errors.h"

namespace gyre::python {
namespace {

PyTypeObject* size_type = nullptr;

// A new Size with the items of a tuple, which it takes.
PyObject* size_of(PyObject* items) {
  if (!items || !PyTuple_CheckExact(items)) return items;
  const Py_ssize_t n = PyTuple_GET_SIZE(items);
  PyObject* size = size_type->tp_alloc(size_type, n);
  for (Py_ssize_t i = 0; size && i < n; ++i) {
    PyObject* item = PyTuple_GET_ITEM(items, i);
    Py_INCREF(item);
    PyTuple_SET_ITEM(size, i, item);
  }
  Py_DECREF(items);
  return size;
}

// Shapes are made all the time: short cuts past what the base class does for any subclass.
void destroy(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(self); ++i) Py_XDECREF(PyTuple_GET_ITEM(self, i));
  type->tp_free(self);
  Py_DECREF(type);
}

PyObject* subscript(PyObject* self, PyObject* index) {
  if (PyLong_CheckExact(index)) {
    const Py_ssize_t n = PyTuple_GET_SIZE(self), given = PyLong_AsSsize_t(index);
    const Py_ssize_t place = given < 0 ? given + n : given;
    if (place >= 0 && place < n && !(given == -1 && PyErr_Occurred())) {
      PyObject* item = PyTuple_GET_ITEM(self, place);
      Py_INCREF(item);
      return item;
    }
    PyErr_Clear();
  }
  PyObject* found = PyTuple_Type.tp_as_mapping->mp_subscript(self, index);
  if (!PySlice_Check(index)) return found;
  if (found != self) return size_of(found);
  return found;  // all of it
}

PyObject* concat(PyObject* self, PyObject* other) {
  return size_of(PyTuple_Type.tp_as_sequence->sq_concat(self, other));
}

PyObject* numel(PyObject* self, PyObject*) {
  PyObject* product = PyLong_FromLong(1);
  for (Py_ssize_t i = 0; product && i < PyTuple_GET_SIZE(self); ++i) {
    PyObject* next = PyNumber_Multiply(product, PyTuple_GET_ITEM(self, i));
    Py_DECREF(product);
    product = next;
  }
  return product;
}

PyMethodDef kMethods[] = {{"numel", numel, METH_NOARGS,
                           "numel($self)\n--\n\nThe product of the sizes: a number of elements."},
                          {nullptr, nullptr, 0, nullptr}};

PyType_Slot kSlots[] = {
    {Py_tp_doc, const_cast<char*>("Sizes of the axes of a tensor: a tuple of ints.")},
    {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
    {Py_tp_methods, kMethods},
    {Py_mp_subscript, reinterpret_cast<void*>(subscript)},
    {Py_sq_concat, reinterpret_cast<void*>(concat)},
    {0, nullptr}};

PyType_Spec kSpec = {"gyre.Size", 0, 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, kSlots};

}  // namespace

void add_size_class(nb::module_& m) {
  nb::object type =
      nb::steal(PyType_FromSpecWithBases(&kSpec, reinterpret_cast<PyObject*>(&PyTuple_Type)));
  if (!type.is_valid()) throw nb::python_error();
  size_type = reinterpret_cast<PyTypeObject*>(type.ptr());
  m.attr("Size") = type;
}

PyObject* size_object(const Shape& s) {
  PyObject* size = size_type->tp_alloc(size_type, s.rank);
  if (!size) throw nb::python_error();
  PyObject_GC_UnTrack(size);  // numbers make no cycles
  for (int i = 0; i < s.rank; ++i) PyTuple_SET_ITEM(size, i, PyLong_FromLongLong(s[i]));
  return size;
}

}  // namespace gyre::python
