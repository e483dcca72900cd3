#pragma once
#include <vector>

#include "gyre/autograd/checkpoint.h"
#include "gyre/nn/module.h"
#include "python/core/held_object.h"

namespace gyre::python {

/// A gyre.nn.Module and tensors that temporarily replace its own.
class Lending final : public CheckpointSurroundings {
 public:
  Lending(nb::object module, std::vector<NamedTensor> tensors)
      : module_(std::move(module)), tensors_(std::move(tensors)) {}

  /// Runs `call` with these replacements (nn/replace_tensors.h). Calls that replace the same
  /// tensors are serialised across threads; a nested call does not wait for another thread:
  /// Error{value}. Checkpoints in `call` use the replacements again when they recompute. The result
  /// must not refer to a replaced Python object in the module after the call, so such results are
  /// copied.
  [[nodiscard]] nb::object around(FunctionRef<nb::object()> call) const;

  /// The same, without the GIL.
  void within(FunctionRef<void()> call) const override;

 private:
  HeldObject module_;
  std::vector<NamedTensor> tensors_;
};

/// Whether this thread is currently replacing or restoring tensors.
bool tensors_change_hands();

}  // namespace gyre::python
