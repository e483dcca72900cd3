#pragma once
#include "gyre/op/attrs.h"
#include "gyre/tensor/shape.h"

namespace gyre::conformance {

/// A copy of attributes with one field changed, for any op, by its Record.
Attrs with_integer(const Attrs& attrs, const Field& field, int64_t value);
Attrs with_shape(const Attrs& attrs, const Field& field, const Shape& value);

}  // namespace gyre::conformance
