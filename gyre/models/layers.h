#pragma once
#include "gyre/nn/layer_def.h"

namespace gyre::nn {

// The layers of models/layers.def.
#define LAYER(name) extern const LayerDef name##_layer;
#include "gyre/models/layers.def"
#undef LAYER

}  // namespace gyre::nn
