#pragma once
#include <functional>

#include "gyre/op/attrs.h"
#include "gyre/tensor/tensor.h"

namespace gyre::bench {

/// A function that calls an op of the table, by name, into the preallocated output `out`.
std::function<void()> into_output(const char* op, Tensors in, Tensor out, Attrs attrs = {});

}  // namespace gyre::bench
