#pragma once
#include <span>
#include <vector>

#include "gyre/io/safetensors.h"

namespace gyre {

/// The tensors of `given` with the names of `own`, in the order of `own`. Error{value} naming `op`
/// for missing or unknown names, Error{shape, dtype} for a mismatch.
std::vector<Tensor> matching_state(const char* op, std::span<const NamedTensor> own,
                                   std::span<const NamedTensor> given);

}  // namespace gyre
