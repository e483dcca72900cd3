#pragma once
#include "gyre/op/op_table.h"

namespace gyre {

/// Every op of the library, in the order of the folders' tables.
const OpTable& op_table() noexcept;

}  // namespace gyre
