#pragma once
#include <span>

#include "gyre/base/function_ref.h"
#include "gyre/op/op_def.h"
#include "python/core/errors.h"

namespace gyre::python {

/// The class gyre.Tensor; set when the module is made.
extern PyTypeObject* tensor_type;

/// The tensor inside a gyre.Tensor, or nullptr for any other object.
inline const Tensor* as_tensor(PyObject* o) {
  return Py_TYPE(o) == tensor_type || PyType_IsSubtype(Py_TYPE(o), tensor_type)
             ? nb::inst_ptr<Tensor>(nb::handle(o))
             : nullptr;
}

/// A new gyre.Tensor; None for an empty one.
PyObject* new_tensor(Tensor t);
/// None, one gyre.Tensor or a tuple of them.
PyObject* new_tensors(const Tensors& tensors, bool always_tuple = false);

/// Whether tensor_of() takes it for an array (not a number).
bool is_array(PyObject* o);

/// A tensor out of: a gyre.Tensor, a Python number (a literal), an object with __dlpack__ or the
/// buffer protocol (its memory is shared; copied where it must not be written or gyre cannot walk
/// it), or nested lists of numbers (a copy: `floats`, i64 or boolean). TypeError for others.
Tensor tensor_of(PyObject* o, DType floats = DType::f32);
/// What the floats of lists are that meet t: f64 for f64, so that none of their digits is lost.
DType floats_beside(const Tensor& t);
/// The tensors that the arguments of a call are, by of(i, floats); `floats` becomes f64 where one
/// of them is.
Tensors tensors_together(std::span<PyObject* const> args, FunctionRef<Tensor(size_t, DType)> of,
                         DType floats = DType::f32);

/// The shared memory of an array as a tensor; Error{value} where it can only be copied.
Tensor share(PyObject* array);

/// tensor_of(), and an empty tensor for None.
Tensor tensor_or_none(PyObject* o, DType floats = DType::f32);
/// tensor_or_none() of o, or of each item of a sequence that is no array; floats of lists are as
/// floats_beside() those of `beside` in their places.
Tensors tensors_of(PyObject* o, Inputs beside = {});

/// An int, or what counts as one (__index__). TypeError for others, OverflowError past 64 bits.
int64_t integer_of(PyObject* o);
/// An int, or a sequence of ints.
Shape shape_from(PyObject* o);
PyObject* shape_object(const Shape& s);

}  // namespace gyre::python
