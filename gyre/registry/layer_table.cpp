#include "gyre/registry/layer_table.h"

#include "gyre/hyperbolic/manifold/curvature_layer.h"
#include "gyre/models/gpt_layer.h"

namespace gyre {

namespace {

constexpr const nn::LayerDef* kLayers[] = {
#define LAYER(name) &nn::name##_layer,
#define OP_LAYER(name, ...) LAYER(name)
#include "gyre/nn/layers.def"
#undef OP_LAYER
#undef LAYER
    &curvature_layer,
    &gpt_layer,
};
constexpr nn::LayerTable kTable{kLayers};

}  // namespace

const nn::LayerTable& layer_table() noexcept { return kTable; }

}  // namespace gyre
