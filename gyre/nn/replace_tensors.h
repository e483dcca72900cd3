#pragma once
#include <span>

#include "gyre/base/function_ref.h"
#include "gyre/nn/module.h"

namespace gyre::nn {

/// Replaces tensors of a module by name. A tensor that the module has under several names is
/// replaced under all of them, except under names for which another is given. Shapes and dtypes may
/// differ; layers that cannot use them fail when called. Error{value} for unknown names and for an
/// empty Tensor; then nothing has changed.
void replace_tensors(Module& module, std::span<const NamedTensor> tensors);

/// Functional call: runs `call` while the module has these tensors in place of its own, then
/// restores its own (also if `call` throws), except where `call` itself has set others. A
/// checkpoint (autograd/checkpoint.h) recorded in `call` sees the module's own tensors when it is
/// recomputed later, unless `call` has CheckpointSurroundings around it. Errors as above.
void with_tensors(Module& module, std::span<const NamedTensor> tensors, FunctionRef<void()> call);

}  // namespace gyre::nn
