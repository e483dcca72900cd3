#pragma once
#include <vector>

#include "gyre/autograd/checkpoint.h"
#include "gyre/nn/module.h"
#include "python/core/held_object.h"

namespace gyre::python {

/// A gyre.nn.Module and tensors to stand in the place of its own.
class Lending final : public CheckpointSurroundings {
 public:
  Lending(nb::object module, std::vector<NamedTensor> tensors)
      : module_(std::move(module)), tensors_(std::move(tensors)) {}

  /// Calls `call` while they do (nn/replace_tensors.h). Threads that lend to the same tensors take
  /// turns; one that lends already does not wait for others: Error{value}. Checkpoints in `call`
  /// have them again when their bodies run again. What `call` gives must not outlive it as an
  /// object of Python that lies in the module: of those, the result has copies.
  [[nodiscard]] nb::object around(FunctionRef<nb::object()> call) const;

  /// The same without the interpreter's lock.
  void within(FunctionRef<void()> call) const override;

 private:
  HeldObject module_;
  std::vector<NamedTensor> tensors_;
};

/// Whether this thread is just lending tensors or giving them back.
bool tensors_change_hands();

}  // namespace gyre::python
