#include "python/subscripts.h"

#include <string>

#include "gyre/base/small_vector.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/index/subscript.h"
#include "gyre/ops/shape/in_place.h"
#include "gyre/ops/shape/shape.h"
#include "python/convert.h"

namespace gyre::python {
namespace {

Subscript range_of(PyObject* o) {
  auto* slice = reinterpret_cast<PySliceObject*>(o);
  Subscript s;
  if (slice->start != Py_None) s.start = integer_of(slice->start);
  if (slice->stop != Py_None) s.stop = integer_of(slice->stop);
  if (slice->step != Py_None) s.step = integer_of(slice->step);
  return s;
}

// An int, or what counts as one: a 0-d tensor or NumPy scalar of integers.
bool is_number(PyObject* o) {
  if (const Tensor* t = as_tensor(o)) {
    return t->rank() == 0 && t->dtype() != DType::boolean && !is_floating(t->dtype());
  }
  return PyIndex_Check(o) && !PyBool_Check(o) && !PyObject_HasAttrString(o, "__len__");
}

Subscript subscript_of(PyObject* o) {
  if (PySlice_Check(o)) return range_of(o);
  if (o == Py_Ellipsis) return {Subscript::ellipsis};
  if (o == Py_None) return {Subscript::new_axis};
  if (is_number(o)) return Subscript::at(integer_of(o));
  PyErr_SetString(
      PyExc_IndexError,
      (std::string("a subscript is an int, a slice, ..., None or an array of integers or bools, "
                   "not ") +
       Py_TYPE(o)->tp_name)
          .c_str());
  throw nb::python_error();
}

// A subscript that is data: an array, lists, a bool.
bool is_places(PyObject* o) {
  return PyBool_Check(o) || PyList_Check(o) || (is_array(o) && !is_number(o));
}

Tensor places_of(PyObject* o) {
  Tensor t = tensor_of(o);
  if (PyBool_Check(o)) return to(t, DType::boolean);
  bool empty_list = PyList_Check(o) && t.numel() == 0;
  return empty_list || t.meta().weak ? to(t, DType::i64) : t;
}

// x[key] as x with its simple subscripts taken, and index tensors for the axes of that (an empty
// one keeps its axis). Without data in the key there are none of these.
struct Part {
  Tensor view;
  Tensors places;
};

Part split(const Tensor& x, nb::tuple key) {
  bool by_data = false;
  int named = 0;
  for (nb::handle o : key) {
    by_data |= is_places(o.ptr());
    if (is_places(o.ptr())) {
      Tensor t = places_of(o.ptr());
      named += t.dtype() == DType::boolean ? t.rank() : 1;
    } else if (o.ptr() != Py_Ellipsis && o.ptr() != Py_None) {
      ++named;
    }
  }
  Part part;
  SmallVector<Subscript, 4> simple;
  for (nb::handle h : key) {
    PyObject* o = h.ptr();
    if (is_places(o) || (by_data && is_number(o))) {
      part.places.push_back(is_places(o) ? places_of(o) : to(Tensor(integer_of(o)), DType::i64));
      const Tensor& t = part.places.back();
      int axes = t.dtype() == DType::boolean ? t.rank() : 1;
      for (int i = 0; i < axes; ++i) simple.push_back(Subscript::all());
      continue;
    }
    simple.push_back(subscript_of(o));
    int kept = o == Py_Ellipsis ? x.rank() - named : 1;
    for (int i = 0; by_data && i < kept; ++i) part.places.push_back(Tensor());
  }
  part.view = subscript(x, simple);
  return part;
}

Part split(const Tensor& x, PyObject* key) {
  return split(x,
               PyTuple_Check(key) ? nb::borrow<nb::tuple>(key) : nb::make_tuple(nb::handle(key)));
}

}  // namespace

Tensor part_of(const Tensor& x, PyObject* key) {
  Part part = split(x, key);
  return part.places.empty() ? part.view : index(part.view, Inputs(part.places));
}

void set_part(const Tensor& x, PyObject* key, const Tensor& value) {
  Part part = split(x, key);
  if (part.places.empty()) {
    copy_(part.view, value);
  } else {
    copy_(part.view, index_put(part.view, Inputs(part.places), to(value, x.dtype())));
  }
}

}  // namespace gyre::python
