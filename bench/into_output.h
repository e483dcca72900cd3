#pragma once
#include <functional>

#include "gyre/op/attrs.h"
#include "gyre/tensor/tensor.h"

namespace gyre::bench {

/// Calls an op of the table, by name, into an output that is allocated once.
std::function<void()> into_output(const char* op, Tensors in, Tensor out, Attrs attrs = {});

}  // namespace gyre::bench
