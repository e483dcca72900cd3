#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "gyre/models/generation/generate.h"
#include "gyre/models/measure/perplexity.h"
#include "gyre/text/tokenizer.h"
#include "python/core/records.h"
#include "python/models/language_model_of.h"
#include "python/module.h"

// Text generation and perplexity.

namespace gyre::python {
namespace {

using namespace nb::literals;

nb::list pairs_of(std::span<const TokenLogprobs::Item> items) {
  nb::list all;
  for (const auto& [id, logprob] : items) all.append(nb::make_tuple(id, logprob));
  return all;
}

nb::dict generated(const Generated& made) {
  nb::dict d;
  d["text"] = nb::steal(
      PyUnicode_DecodeUTF8(made.text.data(), static_cast<Py_ssize_t>(made.text.size()), "replace"));
  d["new_text"] = nb::steal(PyUnicode_DecodeUTF8(
      made.new_text.data(), static_cast<Py_ssize_t>(made.new_text.size()), "replace"));
  d["ids"] = nb::cast(made.ids);
  d["new_tokens"] = made.new_tokens;
  d["finish_reason"] = kFinishReasonNames[static_cast<size_t>(made.finish_reason)];
  d["seconds"] = made.seconds;
  nb::list logprobs, top;
  for (const TokenLogprobs& token : made.logprobs) {
    logprobs.append(token.chosen.logprob);
    top.append(pairs_of(token.top));
  }
  d["logprobs"] = logprobs;
  d["top_logprobs"] = top;
  d["notes"] = nb::cast(made.notes);
  return d;
}

// Passes pieces of text to a callable, which must outlive this, or to None. Ctrl-C stops at the
// next piece.
auto pieces_to(nb::handle stream) {
  return [stream](std::string_view piece) {
    nb::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!stream.is_none()) stream(nb::str(piece.data(), piece.size()));
  };
}

nb::dict generate_in(const std::string& folder, const Tokenizer* tokenizer, const nb::dict& options,
                     const nb::object& stream) {
  const auto given = options_as<GenerateOptions>(options);
  const std::vector<std::string> names = keys_of(options);
  auto sink = pieces_to(stream);
  return generated(unlocked([&] {
    return tokenizer ? generate(folder, *tokenizer, given, names, sink)
                     : generate(folder, given, names, sink);
  }));
}

// Options for a model, with its own settings.
struct Settings {
  GenerateOptions options;
  std::vector<std::string> notes;
};
Settings settings_of(const LanguageModel& model, const Tokenizer* tokenizer,
                     const nb::dict& options) {
  const auto given = options_as<GenerateOptions>(options);
  Settings all;
  all.options =
      with_model_settings(given, keys_of(options), model, tokenizer != nullptr, all.notes);
  return all;
}

nb::dict with_notes(Generated made, const std::vector<std::string>& notes) {
  made.notes.insert(made.notes.begin(), notes.begin(), notes.end());
  return generated(made);
}

nb::dict generate_with(nb::handle module, const Tokenizer* tokenizer, const nb::dict& options,
                       const nb::object& stream) {
  // shares the tensors, which the module may replace meanwhile
  const auto model = language_model_in(module).share();
  const Settings all = settings_of(*model, tokenizer, options);
  auto sink = pieces_to(stream);
  Generated made = unlocked([&] { return generate(*model, tokenizer, all.options, sink); });
  return with_notes(std::move(made), all.notes);
}

// The notes that generate_with() gives of a prompt of so many tokens.
std::vector<std::string> generation_notes(nb::handle module, const Tokenizer* tokenizer,
                                          const nb::dict& options, size_t tokens) {
  const LanguageModel& model = language_model_in(module);
  Settings all = settings_of(model, tokenizer, options);
  for (std::string& note : overlong_prompt(tokens, model, all.options))
    all.notes.push_back(std::move(note));
  return all.notes;
}

nb::list generate_batch_with(nb::handle module, const Tokenizer* tokenizer,
                             const std::vector<std::vector<int32_t>>& prompts,
                             const nb::dict& options) {
  const auto model = language_model_in(module).share();
  const Settings all = settings_of(*model, tokenizer, options);
  auto signals = pieces_to(nb::none());
  std::vector<Generated> made = unlocked([&] {
    return generate_batch(*model, tokenizer, prompts, all.options,
                          [&](size_t, std::string_view piece) { signals(piece); });
  });
  nb::list texts;
  for (Generated& one : made) texts.append(with_notes(std::move(one), all.notes));
  return texts;
}

nb::dict perplexity_with(nb::handle module, const Tokenizer& tokenizer, const std::string& text,
                         const nb::dict& options) {
  const auto given = options_as<PerplexityOptions>(options);
  const auto model = language_model_in(module).share();
  const Perplexity found = unlocked([&] {
    const std::vector<int32_t> tokens = tokenizer.encode(text);
    std::vector<int32_t> bytes;
    for (const int32_t id : tokens)
      bytes.push_back(static_cast<int32_t>(tokenizer.bytes(id).size()));
    return perplexity(*model, tokens, bytes, given);
  });
  return values_of(record_of<Perplexity>, &found);
}

}  // namespace

void add_generation(nb::module_& m) {
  m.attr("generate_options") = fields_of(record_of<GenerateOptions>);
  m.attr("perplexity_options") = fields_of(record_of<PerplexityOptions>);
  m.attr("perplexity_fields") = fields_of(record_of<Perplexity>);
  m.def("generate_in", generate_in, "folder"_a, "tokenizer"_a.none(), "options"_a,
        "stream"_a.none());
  m.def("generate_with", generate_with, "module"_a, "tokenizer"_a.none(), "options"_a,
        "stream"_a.none());
  m.def("generation_notes", generation_notes, "module"_a, "tokenizer"_a.none(), "options"_a,
        "tokens"_a);
  m.def("generate_batch", generate_batch_with, "module"_a, "tokenizer"_a.none(), "prompts"_a,
        "options"_a);
  m.def("perplexity_with", perplexity_with, "module"_a, "tokenizer"_a, "text"_a, "options"_a);
  m.def(
      "prompt_ids",
      [](const Tokenizer& tokenizer, const std::string& prompt) {
        return prompt_ids(tokenizer, prompt);
      },
      "tokenizer"_a, "prompt"_a);
}

}  // namespace gyre::python
