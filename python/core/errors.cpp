#include "python/core/errors.h"

#include <string_view>

namespace gyre::python {
namespace {

struct Kind {
  Code code;
  const char *name, *doc;
  PyObject** base;
};
const Kind kKinds[] = {
    {Code::shape, "ShapeError", "Shapes that do not match.", &PyExc_ValueError},
    {Code::dtype, "DTypeError", "A dtype that is not supported.", &PyExc_TypeError},
    {Code::device, "DeviceError", "Tensors on different devices.", &PyExc_ValueError},
    {Code::index, "IndexError", "An index, axis or name out of range.", &PyExc_IndexError},
    {Code::value, "ValueError", "An argument that is invalid otherwise.", &PyExc_ValueError},
    {Code::unsupported, "UnsupportedError", "A valid call that gyre does not support.",
     &PyExc_NotImplementedError},
    {Code::unavailable, "UnavailableError", "A missing device or library.", &PyExc_RuntimeError},
    {Code::io, "IOError", "A file that cannot be read or written.", &PyExc_OSError},
    {Code::parse, "ParseError", "Damaged content or another format.", &PyExc_ValueError},
    {Code::numeric, "NumericError", "NaN, or a singular matrix.", &PyExc_ArithmeticError},
    {Code::resource, "ResourceError", "Not enough memory.", &PyExc_MemoryError},
    {Code::internal, "InternalError", "A bug in gyre.", &PyExc_RuntimeError},
};
PyObject* classes[std::size(kKinds)];

nb::object new_class(const char* name, const nb::tuple& bases, const char* doc) {
  nb::dict members;
  members["__module__"] = "gyre";
  members["__doc__"] = doc;
  return nb::handle(reinterpret_cast<PyObject*>(&PyType_Type))(name, bases, members);
}

// Text that may contain bytes of a file or names from another library, which need not be UTF-8.
nb::object text(std::string_view bytes) {
  PyObject* o =
      PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "backslashreplace");
  if (!o) throw nb::python_error();
  return nb::steal(o);
}

}  // namespace

void add_errors(nb::module_& m) {
  nb::object base = new_class("Error", nb::make_tuple(nb::handle(PyExc_Exception)),
                              "Base class of gyre's exceptions. Attributes: code (\"shape\", ...), "
                              "op, and expected and actual, the two conflicting values as text.");
  m.attr("Error") = base;
  for (size_t i = 0; i < std::size(kKinds); ++i) {
    nb::object c =
        new_class(kKinds[i].name, nb::make_tuple(base, nb::handle(*kKinds[i].base)), kKinds[i].doc);
    m.attr(kKinds[i].name) = c;
    classes[static_cast<size_t>(kKinds[i].code)] = c.release().ptr();
  }
}

bool has_code(const nb::python_error& e, Code code) {
  return e.matches(classes[static_cast<size_t>(code)]);
}

void raise(const Error& e) noexcept {
  nb::handle type = classes[static_cast<size_t>(e.code)];
  try {
    nb::object value = type(text(e.what()));
    value.attr("code") = code_name(e.code);
    value.attr("op") = text(e.op);
    value.attr("expected") = text(e.expected);
    value.attr("actual") = text(e.actual);
    PyErr_SetObject(type.ptr(), value.ptr());
  } catch (nb::python_error& python) {
    python.restore();
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (...) {
    PyErr_SetString(PyExc_RuntimeError, "an error could not be described");
  }
}

void raise_current() noexcept {
  try {
    throw;
  } catch (const Error& e) {
    raise(e);
  } catch (nb::python_error& e) {
    e.restore();
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::bad_cast&) {  // of nb::cast()
    if (!PyErr_Occurred())
      PyErr_SetString(PyExc_TypeError, "an object has a type that the function cannot convert");
  } catch (const std::exception& e) {
    if (!PyErr_Occurred()) raise(Error(Code::internal, "", e.what()));
  }
}

void wrong_type(const Message& message) {
  PyErr_SetString(PyExc_TypeError, message.text.c_str());
  throw nb::python_error();
}

}  // namespace gyre::python
