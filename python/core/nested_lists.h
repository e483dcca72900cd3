#pragma once
#include "gyre/tensor/tensor.h"
#include "python/core/errors.h"

namespace gyre::python {

/// A list or a tuple.
inline bool is_list(PyObject* o) { return PyList_Check(o) || PyTuple_Check(o); }

/// The items of a list or tuple as a tuple. A subclass is not asked: its __len__ and __iter__ may
/// say something else than there is.
nb::object items_of(PyObject* list);

/// A copy of nested lists. Python numbers become `floats`, i64 or boolean (f64 if there is a
/// numpy.float64). Items that are arrays are stacked in their promoted dtype (f64 if that is
/// floating and `floats` is f64), to which numbers are converted. ShapeError for ragged lists,
/// TypeError for items that are not numbers.
Tensor from_lists(PyObject* o, DType floats);

}  // namespace gyre::python
