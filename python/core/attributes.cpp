#include "python/core/attributes.h"

#include <string>

#include "gyre/base/record_part.h"
#include "gyre/op/number.h"
#include "python/core/convert.h"
#include "python/core/dtypes.h"

#include <nanobind/stl/vector.h>

namespace gyre::python {
namespace {

[[noreturn]] void refuse_type(const Field& field, const char* wanted, PyObject* got) {
  PyErr_Clear();
  wrong_type({field.name, ": expected ", wanted, ", got ", Py_TYPE(got)->tp_name});
}

std::string text_of(const Field& field, const char* wanted, PyObject* o) {
  Py_ssize_t bytes;
  const char* text = PyUnicode_Check(o) ? PyUnicode_AsUTF8AndSize(o, &bytes) : nullptr;
  if (!text) refuse_type(field, wanted, o);
  std::string result(text, static_cast<size_t>(bytes));
  if (result.find('\0') == result.npos) return result;
  // file names and messages would end there
  PyErr_Format(PyExc_ValueError, "%s: expected a str without null characters", field.name);
  throw nb::python_error();
}

// Bytes and a dict are sequences of ints and of keys, which nobody means.
void refuse_bytes_and_dicts(const Field& field, const char* wanted, PyObject* o) {
  if (PyBytes_Check(o) || PyByteArray_Check(o) || PyDict_Check(o)) refuse_type(field, wanted, o);
}

// A str, or a sequence of them; ids may be ints.
std::vector<std::string> texts_of(const Field& field, PyObject* o) {
  constexpr const char* kWanted = "a str or a sequence of them";
  if (PyUnicode_Check(o)) return split_texts(field, text_of(field, kWanted, o));
  refuse_bytes_and_dicts(field, kWanted, o);
  nb::object items = nb::steal(PySequence_Tuple(o));
  if (!items) refuse_type(field, kWanted, o);
  std::vector<std::string> texts;
  for (nb::handle item : nb::borrow<nb::tuple>(items)) {
    const bool number = field.tags & kCommas && PyIndex_Check(item.ptr());
    texts.push_back(text_of(field, kWanted, number ? nb::str(item).ptr() : item.ptr()));
  }
  return texts;
}

Shape sizes_of(const Field& field, PyObject* o) {
  if (o == Py_None) return {};
  const bool reduces = as_tensor(o) && std::string_view(field.name) == "axes";
  const char* wanted = reduces ? "an int or a sequence of ints (elementwise: maximum, minimum)"
                               : "an int or a sequence of ints";
  refuse_bytes_and_dicts(field, wanted, o);
  try {
    return shape_from(o);
  } catch (const nb::python_error& e) {
    if (!e.matches(PyExc_TypeError)) throw;
  }
  refuse_type(field, wanted, o);
}

bool flag_of(const Field& field, PyObject* o) {
  if (PyBool_Check(o)) return o == Py_True;
  // NumPy's bool is not a subclass of Python's
  const std::string_view type = Py_TYPE(o)->tp_name;
  if (type == "numpy.bool" || type == "numpy.bool_") {
    const int truth = PyObject_IsTrue(o);
    if (truth < 0) throw nb::python_error();
    return truth == 1;
  }
  refuse_type(field, "a bool", o);
}

int64_t integer_of(const Field& field, PyObject* o) {
  if (PyBool_Check(o)) refuse_type(field, "an int", o);
  try {
    return python::integer_of(o);
  } catch (const nb::python_error& e) {
    if (!e.matches(PyExc_TypeError)) throw;
  }
  refuse_type(field, "an int", o);
}

double real_of(const Field& field, PyObject* o) {
  double value = PyFloat_AsDouble(o);
  if (value == -1 && PyErr_Occurred()) refuse_type(field, "a number", o);
  return value;
}

// Integers beyond 64 bits are out of range of every integer dtype.
Number number_of(const Field& field, PyObject* o) {
  int overflow = 0;
  const nb::object index = nb::steal(PyIndex_Check(o) ? PyNumber_Index(o) : nullptr);
  PyErr_Clear();  // a tensor of floats has __index__, too
  if (!index.is_valid()) return real_of(field, o);
  const int64_t whole = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  if (!overflow) return whole;
  const uint64_t above = PyLong_AsUnsignedLongLong(index.ptr());
  if (!PyErr_Occurred()) return above;
  PyErr_Clear();
  return real_of(field, o);
}

uint8_t choice_of(const Field& field, PyObject* o) {
  std::string name = text_of(field, "a str", o), all;
  for (size_t i = 0; i < field.choices.size(); ++i) {
    if (name == field.choices[i]) return static_cast<uint8_t>(i);
    all += std::string(i ? ", " : "") + field.choices[i];
  }
  PyErr_Format(PyExc_ValueError, "%s: expected one of %s, got %s", field.name, all.c_str(),
               name.c_str());
  throw nb::python_error();
}

}  // namespace

void set_field(const Field& field, void* object, PyObject* value) {
  switch (field.type) {
    case Field::flag:
      field_value<bool>(object, field) = flag_of(field, value);
      break;
    case Field::integer:
      field_value<int64_t>(object, field) = integer_of(field, value);
      break;
    case Field::real:
      if (field.tags & kExact) {
        field_value<Number>(object, field) = number_of(field, value);
      } else {
        field_value<double>(object, field) = real_of(field, value);
      }
      break;
    case Field::text:
      field_value<std::string>(object, field) = text_of(field, "a str", value);
      break;
    case Field::texts:
      field_value<std::vector<std::string>>(object, field) = texts_of(field, value);
      break;
    case Field::dtype:
      field_value<DType>(object, field) = dtype_from(value);
      break;
    case Field::shape:
      field_value<Shape>(object, field) = sizes_of(field, value);
      break;
    case Field::choice:
      field_value<uint8_t>(object, field) = choice_of(field, value);
      break;
  }
}

nb::object get_field(const Field& field, const void* object) {
  switch (field.type) {
    case Field::flag:
      return nb::cast(field_value<bool>(object, field));
    case Field::integer:
      return nb::cast(field_value<int64_t>(object, field));
    case Field::real:
      if (field.tags & kExact) {
        const auto& number = field_value<Number>(object, field);
        if (number.is_above) return nb::cast(static_cast<uint64_t>(number.whole));
        if (number.is_whole) return nb::cast(number.whole);
      }
      return nb::cast(field_value<double>(object, field));
    case Field::text:
      return nb::cast(field_value<std::string>(object, field));
    case Field::texts:
      return nb::cast(field_value<std::vector<std::string>>(object, field));
    case Field::dtype:
      return nb::str(name_of(field_value<DType>(object, field)));
    case Field::shape:
      return nb::steal(shape_object(field_value<Shape>(object, field)));
    case Field::choice:
      return nb::str(field.choices[field_value<uint8_t>(object, field)]);
  }
  return nb::none();
}

}  // namespace gyre::python
