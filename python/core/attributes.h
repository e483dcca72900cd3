#pragma once
#include "gyre/op/attrs.h"
#include "python/core/errors.h"

namespace gyre::python {

/// Sets a field of a reflected struct from a Python object. TypeError or ValueError with the
/// field's name.
void set_field(const Field& field, void* object, PyObject* value);
/// The value of a field as a Python object.
nb::object get_field(const Field& field, const void* object);

}  // namespace gyre::python
