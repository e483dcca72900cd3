#pragma once
#include "gyre/tensor/tensor.h"
#include "python/core/errors.h"

namespace gyre::python {

/// A trainable tensor in Python: gyre.nn.Parameter, a gyre.Tensor. While Python holds the object of
/// a tensor, the same object is returned again: `p is layer.weight`.
class Parameter : public Tensor {
 public:
  /// `object` is the Python object that contains this.
  Parameter(Tensor tensor, PyObject* object);
  Parameter(const Parameter&) = delete;
  Parameter& operator=(const Parameter&) = delete;
  ~Parameter();

  /// Call this after another tensor was assigned to this one, permanently or as a temporary
  /// replacement.
  void tensor_changed(bool lent);
  /// Lets go of the tensor.
  void release();

 private:
  void forget();

  PyObject* object_;
  TensorImpl* known_as_ = nullptr;
  Tensor own_;  // while this is temporarily replaced
};

/// Adds the class.
void add_parameter_class(nb::module_& m);

/// The parameter of a gyre.nn.Parameter, or nullptr for other objects.
Parameter* as_parameter(PyObject* o);
/// The existing gyre.nn.Parameter of a tensor; None if Python holds none.
nb::object held_parameter(const Tensor& t);
/// The same, creating it if there is none; None for an undefined tensor.
nb::object parameter_object(const Tensor& t);

}  // namespace gyre::python
