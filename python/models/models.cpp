#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/models/generation/generate.h"
#include "gyre/models/gpt2/gpt2_folder.h"
#include "gyre/models/gpt2/gpt_layer.h"
#include "gyre/models/train.h"
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

const Gpt& gpt_in(nb::handle module) {
  auto* gpt = dynamic_cast<Gpt*>(module_of(module).core.module.get());
  if (!gpt) {
    throw Error(Code::unsupported, "gpt2",
                "generation and GPT-2 folders need a " + std::string(nn::gpt_layer.name) +
                    " of the layer table");
  }
  return *gpt;
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
  const Gpt gpt = gpt_in(module);  // shares the tensors, which the module may replace meanwhile
  auto sink = pieces_to(stream);
  return generated(unlocked([&] { return generate(gpt, tokenizer, given, sink); }));
}

// ---- model folders ----

// (class, options, core): the arguments that recreate a module of the layer table.
nb::object load_gpt(const std::string& folder) {
  const auto model = unlocked(
      [&] { return std::make_shared<GptLayer>(with_contiguous_weights(load_gpt2(folder))); });
  nb::dict options = values_of(record_of<GptOptions>, &model->options());
  return nb::make_tuple(nn::gpt_layer.name, options, Core{model, &nn::gpt_layer});
}

void save_gpt(const std::string& folder, nb::handle module, const Tokenizer* tokenizer) {
  save_gpt2(folder, const_cast<Gpt&>(gpt_in(module)), tokenizer);
}

void lend_weights(const std::string& file, nb::handle module) {
  module_of(module).lend_state(SafetensorsFile(file));
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
  m.def("load_gpt2", load_gpt, "folder"_a);
  m.def("save_gpt2", save_gpt, "folder"_a, "module"_a, "tokenizer"_a.none());
  m.def("lend_weights", lend_weights, "file"_a, "module"_a);
  m.def(
      "read_json", [](const std::string& path) { return json_object(Json::read(path)); }, "path"_a);
  add_predictor(m);
  add_embedding(m);
}

}  // namespace gyre::python
