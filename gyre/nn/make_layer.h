#pragma once
#include <memory>
#include <string_view>

#include "gyre/base/philox.h"
#include "gyre/io/json.h"
#include "gyre/nn/layer_def.h"

namespace gyre::nn {

/// Makes a layer from its name in the table and a JSON object of options; options not given have
/// their defaults. Initial values are drawn from `generator` (null: the thread's). Error{value} for
/// an unknown name (suggesting a similar one), unknown options and values that the layer rejects;
/// Error{parse} for a value of another type.
std::unique_ptr<Module> make_layer(const LayerTable& table, std::string_view name,
                                   const Json& options, Generator* generator = nullptr);

/// Makes a model from a description: {"layer": NAME, ...options}, {"layer": "Sequential", "layers":
/// [descriptions]}, or just such a list. Errors as above, with the position in the description.
std::unique_ptr<Module> make_model(const LayerTable& table, const Json& description,
                                   Generator* generator = nullptr);

}  // namespace gyre::nn
