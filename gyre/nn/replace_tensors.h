#pragma once
#include <span>

#include "gyre/base/function_ref.h"
#include "gyre/nn/module.h"

namespace gyre::nn {

/// Puts tensors in the place of a module's own, by name. One that the module has under several
/// names is replaced under all of them, but where another is given for a name. Shapes and dtypes
/// may be others; whether the layers can compute with them shows when they do. Error{value} for
/// names that the module has not and for an empty Tensor; then nothing has changed.
void replace_tensors(Module& module, std::span<const NamedTensor> tensors);

/// Calls `call` while the module has these tensors in the place of its own: a module as a function
/// of its weights. Then, and where `call` throws, it has its own again, but where `call` itself has
/// put others. A checkpoint (autograd/checkpoint.h) that is recorded in `call` sees the own ones
/// when it runs again later, unless `call` has CheckpointSurroundings around it. Errors as above.
void with_tensors(Module& module, std::span<const NamedTensor> tensors, FunctionRef<void()> call);

}  // namespace gyre::nn
