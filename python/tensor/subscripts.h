#pragma once
#include "gyre/tensor/tensor.h"
#include "python/core/errors.h"

namespace gyre::python {

/// x[key]: ints, slices, ..., None and tuples of them give a view (basic indexing); integer or
/// boolean arrays and lists give a copy (advanced indexing), as in NumPy.
Tensor part_of(const Tensor& x, PyObject* key);
/// x[key] = value
void set_part(const Tensor& x, PyObject* key, const Tensor& value);

}  // namespace gyre::python
