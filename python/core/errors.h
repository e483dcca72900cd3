#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "gyre/base/error.h"

namespace gyre::python {

namespace nb = nanobind;

/// Adds the exception classes: gyre.Error and one subclass for each Code, which also derives from
/// the matching Python exception (ShapeError is a ValueError, ...). Attributes: code, op, expected,
/// actual.
void add_errors(nb::module_& m);

/// Sets `e` as the current Python exception. Bytes that are not UTF-8 appear as \xff.
void raise(const Error& e) noexcept;

/// Within a catch block: sets the caught exception as the current Python exception, also one that
/// is none of gyre's.
void raise_current() noexcept;

/// Whether a Python exception is the gyre exception of that code.
bool has_code(const nb::python_error& e, Code code);

/// Runs `f`; a C++ exception becomes a Python exception and the result is a null pointer.
PyObject* guarded(auto f) noexcept {
  try {
    return f();
  } catch (...) {
    raise_current();
  }
  return nullptr;
}

/// Ops on at least this many elements take longer than releasing the interpreter lock (GIL).
inline constexpr int64_t kLong = 16384;

/// Runs `f` without the GIL; it calls into Python only through functions that acquire it.
auto unlocked(auto&& f) {
  nb::gil_scoped_release release;
  return f();
}

/// Runs `f`, which processes this many elements; releases the GIL if that is worthwhile.
void unlocked_if_long(int64_t elements, auto&& f) {
  if (elements < kLong) return f();
  unlocked(f);
}

/// A tuple of n items, the new references item(0), item(1), ...; a null one raises the pending
/// error.
nb::object new_tuple(size_t n, auto item) {
  nb::object tuple = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(n)));
  if (!tuple.is_valid()) throw nb::python_error();
  for (size_t i = 0; i < n; ++i) {
    PyObject* one = item(i);
    if (!one) throw nb::python_error();
    PyTuple_SET_ITEM(tuple.ptr(), static_cast<Py_ssize_t>(i), one);
  }
  return tuple;
}

/// Raises TypeError.
[[noreturn]] void wrong_type(const Message& message);

/// nb::cast() of an argument. TypeError "`name`: expected `wanted`, got ..." for another type.
template <class T>
T argument_as(nb::handle o, const char* name, const char* wanted) {
  T value{};
  if (nb::try_cast(o, value)) return value;
  wrong_type({name, ": expected ", wanted, ", got ", Py_TYPE(o.ptr())->tp_name});
}

}  // namespace gyre::python
