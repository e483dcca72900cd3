#pragma once
#include <concepts>
#include <memory>
#include <span>
#include <string_view>
#include <typeinfo>
#include <vector>

#include "gyre/base/philox.h"
#include "gyre/nn/op_layer.h"
#include "gyre/op/op_def.h"

namespace gyre::nn {

/// Valid and invalid uses of a layer, made by LayerDef::samples. Inputs are f64 or i64.
struct LayerSamples {
  struct Call {
    Attrs options;
    Tensors in;
  };
  struct Refusal {
    Attrs options;
    Code code;
  };
  /// Options that make a layer, and inputs at which it is smooth.
  template <class Options>
  void add(Options options, Tensors in) {
    calls.push_back({box(std::move(options)), std::move(in)});
  }
  /// Options that no layer can be made with.
  template <class Options>
  void refuse(Code code, Options options) {
    refusals.push_back({box(std::move(options)), code});
  }
  std::vector<Call> calls;
  std::vector<Refusal> refusals;
};

/// A layer: declared once. make_layer, the command, Python and tests iterate the table of these.
struct LayerDef {
  const char *name = nullptr, *doc = nullptr;
  const std::type_info* type =
      nullptr;                      ///< of the modules that it makes; none where others share it
  const Record* options = nullptr;  ///< none for a layer without options
  ArgList inputs;
  std::span<const char* const> outputs;
  /// Makes one; `options` are of the record, or null when there is none. What is drawn comes from
  /// `generator`, the thread's when null.
  std::unique_ptr<Module> (*make)(const void* options, Generator* generator) = nullptr;
  void (*samples)(LayerSamples& samples) = nullptr;
  /// Layers that are an op with options: their samples and doc are the op's.
  const OpDef* op = nullptr;

  [[nodiscard]] const char* text() const { return op ? op->doc : doc; }
};

/// The list of layers. Code below registry/ that loops over layers is handed one of these.
struct LayerTable {
  std::span<const LayerDef* const> layers;
  /// The layer of that name or nullptr.
  [[nodiscard]] const LayerDef* find(std::string_view name) const {
    for (const LayerDef* layer : layers) {
      if (name == layer->name) return layer;
    }
    return nullptr;
  }
  /// The layer that makes modules of this class, or nullptr.
  [[nodiscard]] const LayerDef* of(const Module& module) const {
    for (const LayerDef* layer : layers) {
      if (layer->type && *layer->type == typeid(module)) return layer;
    }
    return nullptr;
  }
};

inline constexpr Arg kLayerIn[] = {{"x"}};
inline constexpr const char* kLayerOut[] = {"out"};

/// What every layer of class L has; inputs and outputs are one each, to be changed.
template <class L, class Options>
constexpr LayerDef define_layer(const char* name, const char* doc,
                                void (*samples)(LayerSamples& samples)) {
  LayerDef d;
  d.name = name;
  d.doc = doc;
  d.type = &typeid(L);
  d.options = &record_of<Options>;
  d.inputs = kLayerIn;
  d.outputs = kLayerOut;
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

/// A layer that applies an op of one operand; its options are the op's attributes.
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
