#pragma once
#include "gyre/tensor/shape.h"
#include "python/module.h"

namespace gyre::python {

/// Adds gyre.Size, the class of shapes: a tuple whose slices and sums are Sizes again.
void add_size_class(nb::module_& m);

/// A gyre.Size.
PyObject* size_object(const Shape& s);

}  // namespace gyre::python
