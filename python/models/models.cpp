#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/models/generation/generate.h"
#include "gyre/models/language_model.h"
#include "gyre/models/train.h"
#include "gyre/packed/packed_file.h"
#include "gyre/registry/layer_table.h"
#include "gyre/registry/optimizer_table.h"
#include "gyre/text/tokenizer.h"
#include "python/core/json_object.h"
#include "python/core/records.h"
#include "python/models/python_sink.h"
#include "python/module.h"
#include "python/nn/module_object.h"

// Training, text generation and model folders.

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

// ---- text generation ----

LanguageModel& language_model_in(nb::handle module) {
  auto* model = dynamic_cast<LanguageModel*>(module_of(module).core.module.get());
  if (!model) {
    throw Error(Code::unsupported, "language model",
                "text generation and model folders need a language model of the layer table, such "
                "as GPT");
  }
  return *model;
}

nb::dict generated(const Generated& made) {
  nb::dict d;
  d["text"] = nb::steal(
      PyUnicode_DecodeUTF8(made.text.data(), static_cast<Py_ssize_t>(made.text.size()), "replace"));
  d["ids"] = nb::cast(made.ids);
  d["new_tokens"] = made.new_tokens;
  d["seconds"] = made.seconds;
  return d;
}

// Passes pieces of text to a callable or to None. Ctrl-C stops at the next piece.
auto pieces_to(const nb::object& stream) {
  return [&stream](std::string_view piece) {
    nb::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!stream.is_none()) stream(nb::str(piece.data(), piece.size()));
  };
}

nb::dict generate_in(const std::string& folder, const nb::dict& options, const nb::object& stream) {
  auto given = options_as<GenerateOptions>(options);
  auto sink = pieces_to(stream);
  return generated(unlocked([&] { return generate(folder, given, sink); }));
}

nb::dict generate_with(nb::handle module, const Tokenizer* tokenizer, const nb::dict& options,
                       const nb::object& stream) {
  auto given = options_as<GenerateOptions>(options);
  // shares the tensors, which the module may replace meanwhile
  const auto model = language_model_in(module).share();
  auto sink = pieces_to(stream);
  return generated(unlocked([&] { return generate(*model, tokenizer, given, sink); }));
}

// ---- model folders ----

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
  m.attr("generate_options") = fields_of(record_of<GenerateOptions>);
  m.def("train", run_training, "data"_a, "options"_a, "stream"_a.none(), "redraws"_a,
        "watch"_a.none());
  m.def("generate_in", generate_in, "folder"_a, "options"_a, "stream"_a.none());
  m.def("generate_with", generate_with, "module"_a, "tokenizer"_a.none(), "options"_a,
        "stream"_a.none());
  m.def("load_model", load_model, "folder"_a);
  m.def("save_model", save_model, "folder"_a, "module"_a, "tokenizer"_a.none());
  m.def("lend_weights", lend_weights, "file"_a, "module"_a);
  m.def(
      "read_json", [](const std::string& path) { return json_object(Json::read(path)); }, "path"_a);
  add_predictor(m);
  add_embedding(m);
}

}  // namespace gyre::python
