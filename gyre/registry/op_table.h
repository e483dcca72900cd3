#pragma once
#include "gyre/op/op_table.h"

namespace gyre {

/// Every op of the library, in the order of the folders' tables, then those of register_op(). The
/// table and its spans stay valid, and as they are, when ops are added.
const OpTable& op_table() noexcept;

/// Adds an op: tables that are asked for from now on have it. Copies the definition, whose texts
/// and arrays must live as long as the process. Any thread may call it. Error{value} when it has no
/// name, an op of that name is there, or it has nothing to run.
const OpDef& register_op(const OpDef& op);

}  // namespace gyre
