#pragma once
#include "gyre/nn/layer_def.h"

namespace gyre {

/// Every layer of the library: those of all_layers.def, in its order.
const nn::LayerTable& layer_table() noexcept;

}  // namespace gyre
