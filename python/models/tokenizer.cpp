#include "gyre/text/tokenizer.h"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "gyre/base/error.h"
#include "gyre/models/files/model_files.h"
#include "gyre/ops/create/create.h"
#include "gyre/text/bpe/bpe_trainer.h"
#include "gyre/text/char_tokenizer.h"
#include "python/core/convert.h"
#include "python/core/json_object.h"
#include "python/core/paths.h"
#include "python/module.h"

namespace gyre::python {
namespace {

using namespace nb::literals;
using Held = std::shared_ptr<Tokenizer>;

std::vector<int32_t> encode(const Tokenizer& t, const std::string& text, bool special) {
  nb::gil_scoped_release release;
  return t.encode(text, special ? Specials::as_tokens : Specials::as_text);
}

nb::object decode(const Tokenizer& t, nb::handle ids, bool skip_special) {
  std::string text = t.decode(token_ids(ids, "ids"), {.skip_special = skip_special, .lossy = true});
  return nb::steal(PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size())));
}

Held learned(nb::handle texts, int32_t vocab_size, int64_t min_frequency,
             const std::vector<std::string>& special) {
  std::vector<std::string> all;
  if (PyUnicode_Check(texts.ptr())) {
    all.push_back(nb::cast<std::string>(texts));
  } else {
    for (nb::handle text : nb::iter(texts))
      all.push_back(argument_as<std::string>(text, "texts", "str items"));
  }
  BpeTrainer trainer({vocab_size, min_frequency, special});
  nb::gil_scoped_release release;
  for (const std::string& text : all) trainer.add(text);
  return trainer.train([](int32_t learned, int32_t) {
    constexpr int32_t kLookEvery = 64;
    if (learned % kLookEvery != 0) return;
    nb::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  });
}

PyObject* tokenizer_of(PyObject*, PyObject* json) {
  return guarded([&] {
    Json parsed = Json::parse(argument_as<std::string>(json, "json", "a str"));
    return nb::cast(Held(tokenizer_from_json(parsed))).release().ptr();
  });
}

// A builtin function, which pickle finds by its name.
PyMethodDef kFunctions[] = {
    {"_tokenizer_of", tokenizer_of, METH_O, "Tokenizer from the text of a tokenizer.json."},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

void add_tokenizer(nb::module_& m) {
  nb::class_<Tokenizer>(m, "Tokenizer",
                        "Converts text to token ids and back: Tokenizer.load(path), "
                        "Tokenizer.train(texts), Tokenizer.characters(text).")
      .def(
          "__init__",
          [](Tokenizer*, const nb::args&) {
            wrong_type(
                "use Tokenizer.load(path), Tokenizer.train(texts) or "
                "Tokenizer.characters(text)");
          },
          nb::sig("def __init__(self) -> None"))
      .def_static(
          "load", [](nb::handle path) { return Held(open_tokenizer(path_of(path))); }, "path"_a,
          nb::sig("def load(path: str | os.PathLike[str]) -> Tokenizer"),
          "Loads a tokenizer.json, or the tokenizer of a model: of a folder, a .gguf or a .bin "
          "file.")
      .def_static("train", learned, "texts"_a, "vocab_size"_a = 4096, "min_frequency"_a = 0,
                  "special"_a = nb::list(),
                  "Trains a byte-level BPE tokenizer on one or more texts: merges pairs that occur "
                  "at least min_frequency times until there are vocab_size tokens, including the "
                  "special tokens, which come first.")
      .def_static(
          "characters", [](const std::string& text) { return Held(CharTokenizer::train(text)); },
          "text"_a, "Character-level tokenizer of the characters in a text.")
      .def("encode", encode, "text"_a, "special"_a = false,
           "Encodes text to a list of ids; with `special`, special tokens such as <|endoftext|> in "
           "the text get their id.")
      .def("decode", decode, "ids"_a, "skip_special"_a = false,
           "Decodes ids to text; invalid UTF-8 becomes U+FFFD.")
      .def_prop_ro("vocab_size", &Tokenizer::vocab_size,
                   "vocabulary size: one more than the largest id")
      .def("__len__", &Tokenizer::vocab_size)
      .def(
          "token", [](const Tokenizer& t, int32_t id) { return t.token(id); }, "id"_a,
          "The token of an id, as written in tokenizer.json.")
      .def(
          "id",
          [](const Tokenizer& t, const std::string& token) -> nb::object {
            int32_t id = t.id(token);
            return id < 0 ? nb::object(nb::none()) : nb::object(nb::int_(id));
          },
          "token"_a, "The id of a token, or None if it is not in the vocabulary.")
      .def("is_special", &Tokenizer::is_special, "id"_a)
      .def(
          "save", [](const Tokenizer& t, nb::handle path) { t.save(path_of(path)); }, "path"_a,
          nb::sig("def save(self, path: str | os.PathLike[str]) -> None"),
          "Writes a tokenizer.json.")
      .def("__reduce__", [](const Tokenizer& t) {
        nb::object open = nb::module_::import_("gyre._gyre").attr("_tokenizer_of");
        return nb::make_tuple(open, nb::make_tuple(t.to_json().dump()));
      });
  if (PyModule_AddFunctions(m.ptr(), kFunctions) != 0) throw nb::python_error();
}

}  // namespace gyre::python
