#pragma once
#include <string>

#include "python/tensor/tensor_class.h"

namespace gyre::python {

/// Bytes of the elements; of packed weights, those of words and headers.
size_t bytes_of(const Tensor& t);

/// Format, shape and size of packed weights, for repr.
std::string packed_text(const Tensor& t);

/// is_packed, format and decode.
void add_packed_members(TensorClass& c);

}  // namespace gyre::python
