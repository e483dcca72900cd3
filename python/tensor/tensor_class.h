#pragma once
#include <array>

#include "gyre/tensor/tensor.h"
#include "python/core/errors.h"

namespace gyre::python {

using TensorClass = nb::class_<Tensor>;

/// Adds gyre.Tensor, to which the module adds the ops of the table as methods and operators.
void add_tensor_class(nb::module_& m);

/// The dtype of a new tensor of a number that tensor_of() made `t` of: f32 of a float, of NumPy's
/// float64 its own.
DType dtype_of_number(PyObject* number, const Tensor& t);

/// The one element as a Python number; nested lists of them. Errors of Tensor::item().
nb::object item(const Tensor& t);
nb::object nested(const Tensor& t);

// ---- the parts of the class ----

/// Memory shared with NumPy, PyTorch and others: the buffer protocol, DLPack.
std::array<PyType_Slot, 2> buffer_slots();
void add_exchange(TensorClass& c);
/// What Python's syntax and standard library ask for: len(), iteration, subscripts; numbers.
std::array<PyType_Slot, 6> sequence_slots();
void add_protocols(TensorClass& c);
/// Copies, deep ones too, and pickles; `m` gets what pickles name.
void add_pickling(nb::module_& m, TensorClass& c);
/// How it is shown.
void add_display(TensorClass& c);
/// Methods that are no ops: memory layout, dtypes, writing.
void add_methods(TensorClass& c);

}  // namespace gyre::python
