#pragma once
#include <string>

#include "gyre/tensor/tensor.h"

namespace gyre {

/// A tensor with its name in a file, module or batch.
struct NamedTensor {
  std::string name;
  Tensor tensor;
};

}  // namespace gyre
