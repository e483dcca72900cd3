#pragma once
#include "gyre/nn/layer_def.h"

namespace gyre {

/// Every layer of the library, in the order of all_layers.def.
const nn::LayerTable& layer_table() noexcept;

}  // namespace gyre
