#pragma once
#include <span>
#include <vector>

#include "gyre/io/safetensors.h"

namespace gyre {

/// The tensors of `given` that are called as those of `own`, in the order of `own`. Error{value}
/// naming `op` for names that are missing or not known, Error{shape, dtype} for one unlike its own.
std::vector<Tensor> matching_state(const char* op, std::span<const NamedTensor> own,
                                   std::span<const NamedTensor> given);

}  // namespace gyre
