#pragma once
#include <concepts>
#include <memory>
#include <span>
#include <string_view>
#include <typeinfo>
#include <vector>

#include "gyre/base/philox.h"
#include "gyre/nn/op_layers.h"
#include "gyre/op/op_def.h"

namespace gyre::nn {

/// Valid and invalid uses of a layer, filled in by LayerDef::samples. Inputs are f64 or i64.
struct LayerSamples {
  struct Call {
    Attrs options;
    Tensors in;
  };
  struct Refusal {
    Attrs options;
    Code code;
  };
  /// Valid options, and inputs at which the layer is differentiable.
  template <class Options>
  void add(Options options, Tensors in) {
    calls.push_back({box(std::move(options)), std::move(in)});
  }
  /// Options that the layer must reject with `code`.
  template <class Options>
  void refuse(Code code, Options options) {
    refusals.push_back({box(std::move(options)), code});
  }
  std::vector<Call> calls;
  std::vector<Refusal> refusals;
};

/// Definition of a layer. make_layer, the `gyre` command, Python and tests iterate a table of
/// these.
struct LayerDef {
  const char *name = nullptr, *doc = nullptr;
  const std::type_info* type = nullptr;  ///< class of the modules it makes; null if layers share it
  const Record* options = nullptr;       ///< null for a layer without options
  ArgList inputs;
  std::span<const char* const> outputs;
  /// Makes a layer; `options` is an object of that record, or null without one. Initial values are
  /// drawn from `generator` (null: the thread's).
  std::unique_ptr<Module> (*make)(const void* options, Generator* generator) = nullptr;
  void (*samples)(LayerSamples& samples) = nullptr;
  /// The op of a layer that only applies an op; samples and doc are the op's.
  const OpDef* op = nullptr;

  [[nodiscard]] const char* text() const { return op ? op->doc : doc; }
};

/// The list of layers. Code below registry/ that loops over layers takes one as an argument.
struct LayerTable {
  std::span<const LayerDef* const> layers;
  /// The layer with that name, or nullptr.
  [[nodiscard]] const LayerDef* find(std::string_view name) const {
    for (const LayerDef* layer : layers) {
      if (name == layer->name) return layer;
    }
    return nullptr;
  }
  /// The layer that makes modules of that class, or nullptr.
  [[nodiscard]] const LayerDef* of(const Module& module) const {
    for (const LayerDef* layer : layers) {
      if (layer->type && *layer->type == typeid(module)) return layer;
    }
    return nullptr;
  }
};

inline constexpr Arg kLayerIn[] = {{"x"}};
inline constexpr const char* kLayerOut[] = {"out"};

/// Definition of layer class L, with one input and one output unless told otherwise.
template <class L, class Options>
constexpr LayerDef define_layer(const char* name, const char* doc,
                                void (*samples)(LayerSamples& samples), ArgList inputs = kLayerIn,
                                std::span<const char* const> outputs = kLayerOut) {
  LayerDef d;
  d.name = name;
  d.doc = doc;
  d.type = &typeid(L);
  d.options = &record_of<Options>;
  d.inputs = inputs;
  d.outputs = outputs;
  d.samples = samples;
  d.make = [](const void* options, Generator* generator) -> std::unique_ptr<Module> {
    const auto& o = *static_cast<const Options*>(options);
    if constexpr (std::constructible_from<L, const Options&, Generator*>) {
      return std::make_unique<L>(o, generator);
    } else {
      return std::make_unique<L>(o);
    }
  };
  return d;
}

/// A layer that applies an op with one operand; its options are the op's attributes.
template <const OpDef& op, class Options = void>
constexpr LayerDef define_op_layer(const char* name) {
  LayerDef d;
  d.name = name;
  d.inputs = kLayerIn;
  d.outputs = kLayerOut;
  d.op = &op;
  if constexpr (std::is_void_v<Options>) {
    d.make = [](const void*, Generator*) -> std::unique_ptr<Module> {
      return std::make_unique<OpLayer>(op);
    };
  } else {
    d.options = &record_of<Options>;
    d.make = [](const void* options, Generator*) -> std::unique_ptr<Module> {
      return std::make_unique<OpLayer>(op, box(*static_cast<const Options*>(options)));
    };
  }
  return d;
}

#define LAYER(name) extern const LayerDef name##_layer;
#define OP_LAYER(name, ...) LAYER(name)
#include "gyre/nn/layers.def"
#undef OP_LAYER
#undef LAYER

}  // namespace gyre::nn
