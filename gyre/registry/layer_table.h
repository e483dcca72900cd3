#pragma once
#include "gyre/nn/layer_def.h"

namespace gyre {

/// Every layer of the library: those of nn/layers.def, in its order, and whole models.
const nn::LayerTable& layer_table() noexcept;

}  // namespace gyre
