#pragma once
#include <vector>

#include "gyre/io/named_tensor.h"
#include "python/core/errors.h"

// Named tensors: dicts in Python, lists in C++.

namespace gyre::python {

/// Converts any mapping with items(). TypeError if there is no items(), if a name is not a str or
/// if a value is not an array.
std::vector<NamedTensor> tensors_by_name(nb::handle mapping);

/// A dict whose tensors share memory with these.
nb::dict dict_of(const std::vector<NamedTensor>& tensors);

}  // namespace gyre::python
