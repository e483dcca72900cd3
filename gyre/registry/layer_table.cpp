#include "gyre/registry/layer_table.h"

namespace gyre {

namespace nn {
#define LAYER(name) extern const LayerDef name##_layer;
#include "gyre/registry/all_layers.def"
#undef LAYER
}  // namespace nn

namespace {

constexpr const nn::LayerDef* kLayers[] = {
#define LAYER(name) &nn::name##_layer,
#include "gyre/registry/all_layers.def"
#undef LAYER
};
constexpr nn::LayerTable kLayerTable{kLayers};

}  // namespace

const nn::LayerTable& layer_table() noexcept { return kLayerTable; }

}  // namespace gyre
