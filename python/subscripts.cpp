#include "python/subscripts.h"

#include <string>

#include "gyre/base/small_vector.h"
#include "gyre/ops/index/subscript.h"
#include "gyre/ops/shape/in_place.h"
#include "python/convert.h"

namespace gyre::python {
namespace {

int64_t number_of(PyObject* o) {
  nb::object index = nb::steal(PyNumber_Index(o));
  int64_t value = index.is_valid() ? PyLong_AsLongLong(index.ptr()) : -1;
  if (value == -1 && PyErr_Occurred()) throw nb::python_error();
  return value;
}

Subscript range_of(PyObject* o) {
  auto* slice = reinterpret_cast<PySliceObject*>(o);
  Subscript s;
  if (slice->start != Py_None) s.start = number_of(slice->start);
  if (slice->stop != Py_None) s.stop = number_of(slice->stop);
  if (slice->step != Py_None) s.step = number_of(slice->step);
  return s;
}

Subscript subscript_of(PyObject* o) {
  if (PySlice_Check(o)) return range_of(o);
  if (o == Py_Ellipsis) return {Subscript::ellipsis};
  if (o == Py_None) return {Subscript::new_axis};
  if (PyIndex_Check(o) && !PyBool_Check(o)) return Subscript::at(number_of(o));
  PyErr_SetString(
      PyExc_IndexError,
      (std::string("a subscript is an int, a slice, ... or None, not ") + Py_TYPE(o)->tp_name)
          .c_str());
  throw nb::python_error();
}

}  // namespace

Tensor part_of(const Tensor& x, PyObject* key) {
  SmallVector<Subscript, 4> parts;
  if (PyTuple_Check(key)) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(key); ++i) {
      parts.push_back(subscript_of(PyTuple_GET_ITEM(key, i)));
    }
  } else {
    parts.push_back(subscript_of(key));
  }
  return subscript(x, parts);
}

void set_part(const Tensor& x, PyObject* key, const Tensor& value) {
  copy_(part_of(x, key), value);
}

}  // namespace gyre::python
