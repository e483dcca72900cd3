#pragma once
#include "gyre/nn/layer_def.h"

namespace gyre::nn {

/// Curvature in the layer table: of no inputs.
extern const LayerDef curvature_layer;

}  // namespace gyre::nn
