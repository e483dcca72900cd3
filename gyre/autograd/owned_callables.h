#pragma once
#include "gyre/base/function_ref.h"
#include "gyre/tensor/tensor.h"

namespace gyre {

/// Calls `visit` with every gradient hook (GradientHook), custom function (CustomFunction) and body
/// of a checkpoint (CheckpointBody) that lives and dies with `t`: those of `t` and of the part of
/// its graph that nothing outside of it refers to. Nothing if references to `t` exist other than
/// the caller's `handles`. For garbage collectors of languages whose functions these may be: what
/// they own may refer to `t`.
void for_each_owned_callable(const Tensor& t, FunctionRef<void(const RefCounted&)> visit,
                             uint32_t handles = 1);

}  // namespace gyre
