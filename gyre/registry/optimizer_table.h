#pragma once
#include "gyre/optim/optimizer_def.h"

namespace gyre {

/// Every optimiser of the library, in the order of the folders' tables.
const OptimizerTable& optimizer_table() noexcept;

}  // namespace gyre
