#pragma once
#include <string_view>

#include "gyre/tensor/tensor.h"
#include "python/core/errors.h"

namespace gyre::python {

/// A tensor that a module trains, as Python sees it: gyre.nn.Parameter, a gyre.Tensor. While Python
/// holds one of a tensor, that is the one it meets again: `p is layer.weight`.
class Parameter : public Tensor {
 public:
  /// `object` is the Python object in which this lies.
  Parameter(Tensor tensor, PyObject* object);
  Parameter(const Parameter&) = delete;
  Parameter& operator=(const Parameter&) = delete;
  ~Parameter();

  /// To be called when another tensor was put into this one: to stay, or only lent to it.
  void tensor_changed(bool lent);

 private:
  void forget();

  PyObject* object_;
  TensorImpl* known_as_ = nullptr;
  Tensor own_;  // while another is lent to this
};

/// Adds the class.
void add_parameter_class(nb::module_& m);

/// The parameter inside a gyre.nn.Parameter, or nullptr for any other object.
Parameter* as_parameter(PyObject* o);
/// The gyre.nn.Parameter that Python holds of a tensor; None where it holds none.
nb::object held_parameter(const Tensor& t);
/// The same, and a new one where it holds none; None for an empty tensor.
nb::object parameter_object(const Tensor& t);

}  // namespace gyre::python
