#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "gyre/base/error.h"

namespace gyre::python {

namespace nb = nanobind;

/// Adds the exception classes: gyre.Error and one for each Code, which derive from it and from
/// what Python raises in such a case (ShapeError is a ValueError, ...). Each has the attributes
/// code, op, expected and actual.
void add_errors(nb::module_& m);

/// Makes `e` the exception that Python sees when the caller returns null. Bytes of its texts that
/// are not UTF-8 stand there as \xff.
void raise(const Error& e) noexcept;

/// Whether an exception of Python is gyre's for that code.
bool has_code(const nb::python_error& e, Code code);

/// Runs `f`; an exception in it becomes Python's, and the result a null pointer.
template <class F>
PyObject* guarded(F f) noexcept {
  try {
    return f();
  } catch (const Error& e) {
    raise(e);
  } catch (nb::python_error& e) {
    e.restore();
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
  }
  return nullptr;
}

/// So many elements take longer than letting other threads of Python run.
inline constexpr int64_t kLong = 16384;

/// Runs `f`, which works on so many elements: other threads of Python run meanwhile where that
/// takes longer than letting them.
template <class F>
void unlocked_if_long(int64_t elements, F f) {
  if (elements < kLong) return f();
  nb::gil_scoped_release release;
  f();
}

/// Raises TypeError.
[[noreturn]] void wrong_type(const std::string& message);

}  // namespace gyre::python
