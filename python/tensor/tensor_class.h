#pragma once
#include <array>

#include "gyre/tensor/tensor.h"
#include "python/core/convert.h"

namespace gyre::python {

using TensorClass = nb::class_<Tensor>;

/// Adds gyre.Tensor; the module then adds the ops of the table as methods and operators.
void add_tensor_class(nb::module_& m);

/// The dtype of a new tensor created from a number, where `t` is tensor_of(number): f32 for a
/// float, f64 for numpy.float64.
DType dtype_of_number(PyObject* number, const Tensor& t);

/// The tensor of a method's `self`, which may be any object: Tensor.zero_(3). TypeError.
inline const Tensor& tensor_of_self(nb::handle self) {
  const Tensor* t = as_tensor(self.ptr());
  if (!t) wrong_type({"self: expected Tensor, got ", Py_TYPE(self.ptr())->tp_name});
  return *t;
}

/// Error{value} if an element of t, which may be rounded, is out of range of an integer dtype.
void require_all_fit(const Tensor& t, DType dtype, const char* name);

/// The single element as a Python number; the elements as nested lists. Errors of Tensor::item().
nb::object item(const Tensor& t);
nb::object nested(const Tensor& t);

// ---- the parts of the class ----

/// Memory shared with NumPy, PyTorch and others: the buffer protocol, DLPack.
std::array<PyType_Slot, 2> buffer_slots();
void add_exchange(TensorClass& c);
/// Protocols of Python's syntax and standard library: len(), iteration, subscripts, numbers.
std::array<PyType_Slot, 7> sequence_slots();
void add_protocols(TensorClass& c);
/// copy, deepcopy and pickle; `m` gets the functions that pickles refer to.
void add_pickling(nb::module_& m, TensorClass& c);
/// grad_fn and what it leads to.
void add_graph_nodes(nb::module_& m, TensorClass& c);
/// repr, format and HTML.
void add_display(TensorClass& c);
/// Methods that are not ops: memory layout, dtypes, in-place writes.
void add_methods(TensorClass& c);

}  // namespace gyre::python
