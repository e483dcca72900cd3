#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "gyre/base/philox.h"
#include "gyre/op/op_def.h"
#include "python/core/errors.h"
#include "python/torch/derivative.h"

// Calls of gyre on PyTorch's tensors, recorded by PyTorch's autograd.

namespace gyre::python {

/// A function of tensors with its attributes, or a transform of such a function.
struct TorchCall {
  const OpDef* op = nullptr;  ///< or
  nb::object callable;        ///< a callable on gyre tensors that returns one or several
  Attrs attrs;
  std::vector<Step> steps;  ///< its transforms (derivative.h)
  /// Placeholders for omitted inputs whose values do not matter.
  std::vector<std::optional<Meta>> stand_ins;
  /// The state of the random number generator at the start of every run of a callable.
  Generator began{};
  /// Whether it drew random numbers; for a callable this is known after a run. Shared with all
  /// transforms of the call.
  std::shared_ptr<bool> drew = std::make_shared<bool>(false);

  /// Results for inputs that may be undefined; recorded if the thread records.
  Tensors run(Inputs in) const;

 private:
  Tensors run_callable(Inputs in) const;
};

/// Adds the classes Call and Record used by gyre.torch.
void add_torch_call(nb::module_& m);

/// Converts an operand: a torch.Tensor, a number, None or null. TypeError for other objects; errors
/// for unsupported tensors are those of gyre.torch.
Tensor operand_of(const OpDef* op, size_t i, PyObject* o);
/// Results as torch.Tensors, None for undefined ones. They share no memory with each other or with
/// other tensors, because PyTorch may write to them in place.
nb::object results_of(const Tensors& out);

}  // namespace gyre::python
