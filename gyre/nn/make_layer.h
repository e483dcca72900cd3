#pragma once
#include <memory>
#include <string_view>

#include "gyre/base/philox.h"
#include "gyre/io/json.h"
#include "gyre/nn/layer_def.h"

namespace gyre::nn {

/// A layer by its name in the table and a JSON object of its options; those not named have their
/// defaults. Values are drawn from `generator`, the thread's when null. Error{value} for a name
/// that is not there (naming one that is like it), for unknown options, and whatever the layer
/// refuses; Error{parse} for a value of another type.
std::unique_ptr<Module> make_layer(const LayerTable& table, std::string_view name,
                                   const Json& options, Generator* generator = nullptr);

/// A model by its description: {"layer": NAME, ...options}, or {"layer": "Sequential", "layers":
/// [descriptions]}, or such a list alone. Errors as above, telling where in the description.
std::unique_ptr<Module> make_model(const LayerTable& table, const Json& description,
                                   Generator* generator = nullptr);

}  // namespace gyre::nn
