#pragma once
#include <string>

#include "gyre/tensor/dtype.h"
#include "python/core/errors.h"

// What Python, NumPy and PyTorch call the dtypes.

namespace gyre::python {

/// Adds the class gyre.DType, its values, and these again by their long names (gyre.float32).
void add_dtypes(nb::module_& m);

/// "f32", "float32", numpy.float32, torch.float32, gyre.f32, float, ... TypeError for others.
DType dtype_from(PyObject* o);

/// What PyTorch calls the method that casts to it ("double"); nullptr: nothing.
const char* word_of(DType d);

/// The format of an element in Python's module struct, which NumPy uses too; nullptr: it has none.
const char* format_of(DType d);
/// The dtype of so many bytes with such a format, in this machine's byte order; false: none.
bool dtype_of_format(const char* format, Py_ssize_t bytes, DType& out);

}  // namespace gyre::python
