#pragma once
#include <span>

#include "gyre/op/op_table.h"
#include "python/core/errors.h"

namespace gyre::python {

/// Slots of gyre.Tensor for Python's operators; each calls the op of that
/// symbol once bind_operators() has found it, and gives NotImplemented before.
std::span<PyType_Slot> operator_slots();
void bind_operators(const OpTable& table);

}  // namespace gyre::python
