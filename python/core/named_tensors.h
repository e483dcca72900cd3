#pragma once
#include <vector>

#include "gyre/io/named_tensor.h"
#include "python/core/errors.h"

// Tensors by name: dicts of Python, lists of C++.

namespace gyre::python {

/// What anything with items() holds. TypeError for what has none, for names that are no texts and
/// for values that are no arrays.
std::vector<NamedTensor> tensors_by_name(nb::handle mapping);

/// A dict, which shares the tensors.
nb::dict dict_of(const std::vector<NamedTensor>& tensors);

}  // namespace gyre::python
