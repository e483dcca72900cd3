#pragma once
#include "gyre/tensor/dtype.h"
#include "python/core/errors.h"

// Names of dtypes in Python, NumPy and PyTorch.

namespace gyre::python {

/// Adds the class gyre.DType, its values, and their long names (gyre.float32).
void add_dtypes(nb::module_& m);

/// "f32", "float32", numpy.float32, torch.float32, gyre.f32, float, ... TypeError for others.
DType dtype_from(PyObject* o);

/// PyTorch's name of the method that casts to the dtype ("double"); nullptr if there is none.
const char* word_of(DType d);

/// The format character of an element (Python's struct module, buffer protocol); nullptr if there
/// is none.
const char* format_of(DType d);
/// The dtype with this format and number of bytes, in native byte order; false if there is none.
bool dtype_of_format(const char* format, Py_ssize_t bytes, DType& out);

}  // namespace gyre::python
