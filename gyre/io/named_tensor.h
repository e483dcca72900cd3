#pragma once
#include <string>

#include "gyre/tensor/tensor.h"

namespace gyre {

/// A tensor as files, modules and batches know it.
struct NamedTensor {
  std::string name;
  Tensor tensor;
};

}  // namespace gyre
