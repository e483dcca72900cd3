#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/models/files/model_files.h"
#include "gyre/models/language_model.h"
#include "gyre/models/train.h"
#include "gyre/packed/packed_file.h"
#include "gyre/registry/layer_table.h"
#include "gyre/registry/optimizer_table.h"
#include "gyre/text/tokenizer.h"
#include "python/core/json_object.h"
#include "python/core/records.h"
#include "python/models/language_model_of.h"
#include "python/models/python_sink.h"
#include "python/module.h"
#include "python/nn/module_object.h"

// Training and model folders.

namespace gyre::python {
namespace {

using namespace nb::literals;

nb::dict run_training(const std::vector<std::string>& data, const nb::dict& options,
                      const nb::object& stream, bool redraws, const nb::object& watch) {
  auto given = options_as<TrainOptions>(options);
  given.data.sources = data;
  const std::vector<std::string> names = keys_of(options);
  TrainingSink sink(stream, redraws, watch);
  const TrainReport report =
      unlocked([&] { return train(given, names, layer_table(), optimizer_table(), sink); });
  return values_of(record_of<TrainReport>, &report);
}

}  // namespace

LanguageModel& language_model_in(nb::handle module) {
  auto* model = dynamic_cast<LanguageModel*>(module_of(module).core.module.get());
  if (!model) {
    throw Error(Code::unsupported, "language model",
                "text generation and model folders need a language model of the layer table, such "
                "as GPT");
  }
  return *model;
}

namespace {

// (class, options, core): the arguments that recreate a module of the layer table.
nb::object load_model(const std::string& folder) {
  const std::shared_ptr<LanguageModel> model =
      unlocked([&] { return load_language_model(folder); });
  const nn::LayerDef* layer = layer_table().of(*model);
  const Attrs options = model->layer_options();
  return nb::make_tuple(layer->name, values_of(*options->type, options->value), Core{model, layer});
}

void save_model(const std::string& folder, nb::handle module, const Tokenizer* tokenizer) {
  language_model_in(module).save(folder, tokenizer);
}

void lend_weights(const std::string& file, nb::handle module) {
  module_of(module).lend_state(load_state(SafetensorsFile(file)));
}

}  // namespace

void add_models(nb::module_ m) {
  m.attr("train_options") = fields_of(record_of<TrainOptions>);
  m.attr("train_report") = fields_of(record_of<TrainReport>);
  m.def("train", run_training, "data"_a, "options"_a, "stream"_a.none(), "redraws"_a,
        "watch"_a.none());
  m.def("load_model", load_model, "folder"_a);
  m.def(
      "tokenizer_of",
      [](const std::string& path) {
        return std::shared_ptr<Tokenizer>(open_model_files(path)->tokenizer());
      },
      "path"_a);
  m.def("save_model", save_model, "folder"_a, "module"_a, "tokenizer"_a.none());
  m.def("lend_weights", lend_weights, "file"_a, "module"_a);
  m.def(
      "read_json", [](const std::string& path) { return json_object(Json::read(path)); }, "path"_a);
  add_generation(m);
  add_sentence_encoder(m);
  add_predictor(m);
  add_embedding(m);
}

}  // namespace gyre::python
