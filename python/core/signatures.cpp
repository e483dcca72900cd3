#include "python/core/signatures.h"

namespace gyre::python {
namespace {

PyObject* signature_of(PyObject* function, void* maker) {
  return guarded([&] {
    const nb::object make =
        nb::module_::import_("gyre._signatures").attr(static_cast<const char*>(maker));
    return make(nb::handle(function)).release().ptr();
  });
}

char for_functions[] = "of_function", for_methods[] = "of_method";
PyGetSetDef kOfFunctions = {"__signature__", signature_of, nullptr, nullptr, for_functions};
PyGetSetDef kOfMethods = {"__signature__", signature_of, nullptr, nullptr, for_methods};

// The types are nanobind's, which Python cannot set attributes of.
void give(nb::handle function, PyGetSetDef& signature) {
  PyTypeObject* type = Py_TYPE(function.ptr());
  const nb::object member = nb::steal(PyDescr_NewGetSet(type, &signature));
  if (!member.is_valid() ||
      PyDict_SetItemString(type->tp_dict, signature.name, member.ptr()) != 0) {
    throw nb::python_error();
  }
  PyType_Modified(type);
}

}  // namespace

void add_signatures(nb::handle module) {
  give(module.attr("zeros"), kOfFunctions);
  give(module.attr("Tensor").attr("detach"), kOfFunctions);
  give(module.attr("zeros")(0).attr("detach"), kOfMethods);
}

}  // namespace gyre::python
