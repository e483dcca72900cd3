#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "gyre/base/philox.h"
#include "gyre/op/op_def.h"
#include "python/core/errors.h"
#include "python/torch/derivative.h"

// Calls of gyre on tensors of PyTorch, for a tape that PyTorch keeps.

namespace gyre::python {

/// A function of tensors with all else that it takes, or what transforms made of it.
struct TorchCall {
  const OpDef* op = nullptr;  ///< or
  nb::object callable;        ///< a callable of gyre's tensors, which gives one or several
  Attrs attrs;
  std::vector<Step> steps;  ///< what was made of it (derivative.h)
  /// What stands for inputs whose values do not matter and which are left out.
  std::vector<std::optional<Meta>> stand_ins;
  /// Where what a callable draws begins, in every run.
  Generator began{};
  /// Whether numbers were drawn for it, which is known of a callable once it ran; shared by what
  /// steps make of the call.
  std::shared_ptr<bool> drew = std::make_shared<bool>(false);

  /// Results for inputs that may be empty; recorded if the thread records.
  Tensors run(Inputs in) const;

 private:
  Tensors run_callable(Inputs in) const;
};

/// Adds the classes Call and Record, which gyre.torch uses.
void add_torch_call(nb::module_& m);

/// The tensor that an operand of a call stands for: a torch.Tensor, a number, None or null.
/// TypeError for others; what PyTorch or gyre has against a tensor as explained by gyre.torch.
Tensor operand_of(const OpDef* op, size_t i, PyObject* o);
/// Results as torch.Tensors, None for empty ones. No two share memory, and none with a tensor that
/// is not theirs alone: PyTorch writes into what it takes for its own.
nb::object results_of(const Tensors& out);
/// Whether other threads of Python should run meanwhile: elements of the operands.
int64_t elements_of(Inputs in);

}  // namespace gyre::python
