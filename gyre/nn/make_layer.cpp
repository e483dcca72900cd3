#include "gyre/nn/make_layer.h"

#include "gyre/base/error.h"
#include "gyre/base/text/nearest.h"
#include "gyre/io/record_json.h"
#include "gyre/nn/sequential.h"

namespace gyre::nn {
namespace {

constexpr std::string_view kSequential = "Sequential";

const LayerDef& layer_called(const LayerTable& table, std::string_view name) {
  if (const LayerDef* layer = table.find(name)) return *layer;
  std::vector<std::string> known{std::string(kSequential)};
  for (const LayerDef* layer : table.layers) known.emplace_back(layer->name);
  throw Error(Code::value, "make_layer", {"unknown layer ", name, suggestion(name, known)}, {},
              name);
}

// Throws `error` with the position in the description in front.
[[noreturn]] void raise_at(const std::string& place, const Error& error) {
  std::string message = error.what();
  throw Error(error.code, "make_model", place.empty() ? message : place + ": " + message,
              error.expected, error.actual);
}

std::unique_ptr<Module> made(const LayerTable& table, const Json& description,
                             const std::string& place, Generator* generator) {
  if (description.is_array()) {
    auto all = std::make_unique<Sequential>();
    size_t i = 0;
    for (const Json& part : description.as_array()) {
      std::string inner =
          place + (place.empty() ? "" : ".") + "layers[" + std::to_string(i++) + "]";
      all->add(made(table, part, inner, generator));
    }
    return all;
  }
  try {
    const std::string& name = description.at("layer").as_string("layer");
    Json options = Json::object();
    for (const Json::Member& member : description.as_object()) {
      if (member.key != "layer") options[member.key] = member.value;
    }
    if (name != kSequential) return make_layer(table, name, options, generator);
  } catch (const Error& error) {
    raise_at(place, error);
  }
  const Json* layers = description.find("layers");
  if (!layers || !layers->is_array() || description.as_object().size() != 2) {
    raise_at(place,
             Error(Code::value, "Sequential", "expected `layers`, a list, and nothing else"));
  }
  return made(table, *layers, place, generator);
}

}  // namespace

std::unique_ptr<Module> make_layer(const LayerTable& table, std::string_view name,
                                   const Json& options, Generator* generator) {
  const LayerDef& layer = layer_called(table, name);
  if (!layer.options) {
    if (options.as_object("options").empty()) return layer.make(nullptr, generator);
    throw mismatch(Code::value, layer.name, "expected no options", "none",
                   options.as_object()[0].key);
  }
  OpenAttrs filled(*layer.options);
  record_from_json(*layer.options, filled.memory, options);
  return layer.make(filled.memory, generator);
}

std::unique_ptr<Module> make_model(const LayerTable& table, const Json& description,
                                   Generator* generator) {
  return made(table, description, "", generator);
}

}  // namespace gyre::nn
