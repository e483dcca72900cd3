#include "python/core/nested_lists.h"

#include <string>
#include <vector>

#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/shape.h"
#include "python/core/convert.h"

namespace gyre::python {
namespace {

struct Numbers {
  std::vector<double> values;
  std::vector<uint64_t> whole;  // the bits of the same values, while all are integers
  bool any_negative = false, any_above = false;  // of these: below 0, above the largest i64
  bool all_whole = true, all_boolean = true, any_double = false;
  bool any_array = false;  // then the other members are unused
};

void measure(PyObject* o, Shape& shape) {
  while (is_list(o)) {
    shape.push_back(PySequence_Fast_GET_SIZE(o));  // __len__ may be overridden
    if (shape.back() == 0) return;
    o = PySequence_Fast_GET_ITEM(o, 0);
  }
}

void take_number(PyObject* o, Numbers& out) {
  bool is_whole = !PyFloat_Check(o) && PyIndex_Check(o);
  out.all_boolean &= PyBool_Check(o) != 0;
  out.any_double |= PyFloat_Check(o) && !PyFloat_CheckExact(o);  // NumPy's float64 is a float
  out.all_whole &= is_whole;
  if (out.all_whole) {
    const __int128 number = wide_integer_of(o);
    out.whole.push_back(static_cast<uint64_t>(number));
    out.any_negative |= number < 0;
    out.any_above |= number > INT64_MAX;
  }
  double value = PyFloat_AsDouble(o);
  if (value == -1 && PyErr_ExceptionMatches(PyExc_TypeError)) {
    PyErr_Clear();
    wrong_type(std::string("expected numbers, got ") + Py_TYPE(o)->tp_name);
  }
  if (value == -1 && PyErr_Occurred()) throw nb::python_error();
  out.values.push_back(value);
}

void gather(PyObject* o, const Shape& shape, int depth, Numbers& out) {
  if (out.any_array) return;
  if (depth < shape.rank) {
    if (!is_list(o) || PySequence_Fast_GET_SIZE(o) != shape[depth]) {
      throw Error(Code::shape, "tensor",
                  {"ragged lists: expected every list at depth ", depth, " to have ", shape[depth],
                   " items"});
    }
    // the size is read again each time: __index__ of an item may change the list
    for (int64_t i = 0; i < shape[depth] && i < PySequence_Fast_GET_SIZE(o); ++i) {
      nb::object item = nb::borrow(PySequence_Fast_GET_ITEM(o, i));
      gather(item.ptr(), shape, depth + 1, out);
    }
    return;
  }
  if (is_list(o))
    throw Error(Code::shape, "tensor", "ragged lists: some are nested deeper than others");
  if (!PyFloat_Check(o) && !PyLong_Check(o) && is_array(o)) {
    out.any_array = true;
    return;
  }
  take_number(o, out);
}

Tensor from_arrays(PyObject* o, DType floats) {
  const nb::object items = items_of(o);
  std::span<PyObject* const> all(PySequence_Fast_ITEMS(items.ptr()), nb::len(items));
  Tensors parts = tensors_together(
      all, [&](size_t i, DType wide) { return tensor_of(all[i], wide); }, floats);
  Promotion p;  // Python numbers take the dtype of typed arrays
  for (const Tensor& t : parts) p.meet(t.dtype(), t.meta().weak);
  DType common = p.result();
  if (floats == DType::f64 && is_floating(common)) common = floats;
  for (Tensor& t : parts) t = to(t, common);
  return stack(Inputs(parts), 0);
}

}  // namespace

nb::object items_of(PyObject* list) {
  PyObject* items =
      PyList_Check(list) ? PyList_AsTuple(list) : PyTuple_GetSlice(list, 0, PyTuple_GET_SIZE(list));
  if (!items) throw nb::python_error();
  return nb::steal(items);
}

Tensor from_lists(PyObject* o, DType floats) {
  Shape shape;
  measure(o, shape);
  Numbers numbers;
  gather(o, shape, 0, numbers);
  if (numbers.any_array) return from_arrays(o, floats);
  if (numbers.values.empty()) return empty(shape);
  if (!numbers.all_whole) {
    Tensor doubles = tensor(numbers.values, shape);
    return numbers.any_double ? doubles : to(doubles, floats);
  }
  if (numbers.any_above && numbers.any_negative) {
    throw Error(Code::value, "tensor",
                "no integer dtype holds both negative numbers and numbers above the largest i64");
  }
  const Tensor whole = tensor(numbers.whole, shape);
  return numbers.any_above ? whole : to(whole, numbers.all_boolean ? DType::boolean : DType::i64);
}

}  // namespace gyre::python
