#pragma once
#include "gyre/nn/layer_def.h"

namespace gyre {

/// Curvature in the layer table: of no inputs.
extern const nn::LayerDef curvature_layer;

}  // namespace gyre
