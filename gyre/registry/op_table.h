#pragma once
#include <span>
#include <string>
#include <vector>

#include "gyre/op/op_table.h"

namespace gyre {

/// Every op of the library, in the order of the folders' tables, then those of register_op(). The
/// table and its spans stay valid and unchanged when ops are added.
const OpTable& op_table() noexcept;

/// An alternative name of an op of the table.
struct OpAlias {
  const char* name;
  const OpDef* op;
};
/// All aliases, from the folders' aliases.def. None is the name of an op.
std::span<const OpAlias> op_aliases() noexcept;

/// Adds an op to the tables returned from now on. Copies the definition, whose strings and arrays
/// must live as long as the process. Thread-safe. Error{value} when it has no name, the name is
/// taken, or it has neither kernel, view nor composition.
const OpDef& register_op(const OpDef& op);

/// The error bound of an op as text: "4 units in the last place of the norm".
std::string error_bound(const OpDef& op);

/// The dtypes in which the op takes its floating-point operands, or its integers where its first
/// sample has no floats, found by calls of this sample; `in_place`: by calls that write into the
/// first operand. The dtype of packed operands where there are no others; empty for ops without
/// tensor operands or samples.
std::vector<DType> dtypes_of(const OpDef& op, bool in_place = false);

}  // namespace gyre
