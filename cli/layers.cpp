#include "cli/command.h"
#include "cli/table_text.h"
#include "gyre/registry/layer_table.h"

namespace gyre {
namespace {

using nn::LayerDef;

Json layer_json(const LayerDef& layer) {
  Json j = Json::object();
  j["name"] = layer.name;
  j["doc"] = layer.text();
  j["inputs"] = arguments_json(layer.inputs);
  j["outputs"] = names_json(layer.outputs);
  j["options"] = fields_json(layer.options);
  return j;
}

std::string made(const LayerDef& layer) { return signature(layer.name, {}, layer.options); }
std::string called(const LayerDef& layer) {
  return signature("", layer.inputs, nullptr) + " -> " + joined(names_json(layer.outputs));
}

int run_layers(const Invocation& call) {
  std::span<const LayerDef* const> chosen = layer_table().layers;
  const LayerDef* one = nullptr;
  if (!call.operands.empty()) {
    one = entry_called("layer", chosen, call.operands[0]);
    chosen = {&one, 1};
  }
  if (call.json) {
    Json list = Json::array();
    for (const LayerDef* layer : chosen) list.push_back(layer_json(*layer));
    call.out.json(one ? list.as_array()[0] : list);
  } else if (one) {
    call.out.print("{}\n  {}\n  called as {}\n", call.out.heading(made(*one)), one->text(),
                   called(*one));
    print_arguments(call.out, {}, one->options);
  } else {
    for (const LayerDef* layer : chosen) {
      call.out.print("{}\n    {}; {}\n", call.out.heading(made(*layer)), layer->text(),
                     called(*layer));
    }
    call.out.print("{} layers\n", chosen.size());
  }
  return kDone;
}

}  // namespace

const Command layers_command{"layers",           "list the layers: options, inputs, results",
                             "gyre layers LSTM", {"NAME", "a layer; default: all", 0, 1},
                             kNoOptions,         run_layers};

}  // namespace gyre
