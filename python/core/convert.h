#pragma once
#include <span>
#include <vector>

#include "gyre/base/function_ref.h"
#include "gyre/op/op_def.h"
#include "python/core/errors.h"

namespace gyre::python {

/// The class gyre.Tensor; set when the module is created.
extern PyTypeObject* tensor_type;

/// The tensor inside a gyre.Tensor, or nullptr for any other object.
inline const Tensor* as_tensor(PyObject* o) {
  return Py_TYPE(o) == tensor_type || PyType_IsSubtype(Py_TYPE(o), tensor_type)
             ? nb::inst_ptr<Tensor>(nb::handle(o))
             : nullptr;
}

/// A new gyre.Tensor; None for an undefined tensor.
PyObject* new_tensor(Tensor t);
inline nb::object tensor_object(Tensor t) { return nb::steal(new_tensor(std::move(t))); }
/// None, one gyre.Tensor or a tuple of them.
PyObject* new_tensors(Inputs tensors, bool always_tuple = false);
/// A tuple of gyre.Tensors, None for undefined ones.
inline nb::tuple tuple_of(Inputs tensors) {
  return nb::steal<nb::tuple>(new_tensors(tensors, true));
}

/// Whether tensor_of() treats the object as an array (not a number).
bool is_array(PyObject* o);

/// Converts to a tensor: a gyre.Tensor, a Python number (a literal), an object with __dlpack__ or
/// the buffer protocol (shares memory; copies if the memory is read-only or has an unsupported
/// layout), or nested lists of numbers (copies to `floats`, i64 or boolean). TypeError for other
/// objects.
Tensor tensor_of(PyObject* o, DType floats = DType::f32);
/// The dtype of Python floats in lists that are combined with t: f64 for f64 (no precision is
/// lost), else f32.
DType floats_beside(const Tensor& t);
/// Converts the arguments of a call by of(i, floats); `floats` becomes f64 if any of them is f64.
Tensors tensors_together(std::span<PyObject* const> args, FunctionRef<Tensor(size_t, DType)> of,
                         DType floats = DType::f32);

/// A tensor sharing the memory of an array; Error{value} if it could only be copied.
Tensor share(PyObject* array);

/// tensor_of(), with an undefined tensor for None.
Tensor tensor_or_none(PyObject* o, DType floats = DType::f32);
/// tensor_or_none() of o, or of each item of a sequence that is not an array. Floats in the i-th
/// item have the dtype floats_beside(beside[i]).
Tensors tensors_of(PyObject* o, Inputs beside = {});

/// Token ids in a list, a tuple, or what tensor_of() takes. TypeError for other values than
/// integers, Error{value} for those beyond 32 bits.
std::vector<int32_t> token_ids(nb::handle ids, const char* name);

/// An int or an object with __index__. TypeError for others, OverflowError beyond 64 bits.
int64_t integer_of(PyObject* o);
/// An int from the least value of i64 to the largest of u64. OverflowError beyond these.
__int128 wide_integer_of(PyObject* o);
/// The literal of such an int.
Tensor literal_of(__int128 value);
/// An int, or a sequence of ints.
Shape shape_from(PyObject* o);
PyObject* shape_object(const Shape& s);

/// The total number of elements of a call's inputs, for unlocked_if_long(). INT64_MAX without
/// inputs: how long such a call takes is unknown, so it releases the GIL.
int64_t elements_of(Inputs in);

}  // namespace gyre::python
