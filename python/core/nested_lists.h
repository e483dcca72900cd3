#pragma once
#include "gyre/tensor/tensor.h"
#include "python/core/errors.h"

namespace gyre::python {

/// A list or a tuple.
inline bool is_list(PyObject* o) { return PyList_Check(o) || PyTuple_Check(o); }

/// A copy of nested lists. Of Python's numbers: `floats`, i64 or boolean (f64 where NumPy's float64
/// is among them). Where arrays are among the items, these are put together in their promoted
/// dtype, f64 where `floats` is and it is floating, to which numbers adapt. ShapeError for ragged
/// lists, TypeError for what is no number.
Tensor from_lists(PyObject* o, DType floats);

}  // namespace gyre::python
