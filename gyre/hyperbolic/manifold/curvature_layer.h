#pragma once
#include "gyre/nn/layer_def.h"

namespace gyre::nn {

/// The layer table entry of Curvature; takes no inputs.
extern const LayerDef curvature_layer;

}  // namespace gyre::nn
