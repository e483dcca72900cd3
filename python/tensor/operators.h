#pragma once
#include <span>

#include "gyre/op/op_table.h"
#include "python/core/errors.h"

namespace gyre::python {

/// Type slots of gyre.Tensor for Python's operators. Each calls the op with that symbol; before
/// bind_operators() it returns NotImplemented.
std::span<PyType_Slot> operator_slots();
void bind_operators(const OpTable& table);

}  // namespace gyre::python
