#pragma once
#include <span>

#include "gyre/op/op_def.h"

namespace gyre {

/// An alternative name of an op of the table.
struct OpAlias {
  const char* name;
  const OpDef* op;
};
/// All aliases, from the folders' aliases.def. None is the name of an op.
std::span<const OpAlias> op_aliases() noexcept;

}  // namespace gyre
