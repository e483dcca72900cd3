#include "gyre/models/encoder/sentence_encoder.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "gyre/base/error.h"
#include "python/core/records.h"
#include "python/module.h"

// Vectors of texts.

namespace gyre::python {
namespace {

using namespace nb::literals;
using Ids = std::vector<std::vector<int32_t>>;

Tensor vectors(const SentenceEncoder& encoder, const Ids& texts, const nb::dict& options) {
  const auto given = options_as<EncodeOptions>(options);
  if (texts.empty()) throw Error(Code::value, "encode", "expected at least one text, got none");
  return unlocked([&] {
    return encoder.vectors(texts, given, [](int64_t) {
      nb::gil_scoped_acquire lock;
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    });
  });
}

Ids ids_of(const SentenceEncoder& encoder, const std::vector<std::string>& texts,
           int64_t max_tokens) {
  return unlocked([&] { return encoder.ids_of(texts, max_tokens); });
}

}  // namespace

void add_sentence_encoder(nb::module_& m) {
  m.attr("encode_options") = fields_of(record_of<EncodeOptions>);
  nb::class_<SentenceEncoder>(m, "SentenceEncoder")
      .def(nb::init<const std::string&>(), "folder"_a)
      .def("_vectors", vectors, "texts"_a, "options"_a)
      .def("_ids", ids_of, "texts"_a, "max_tokens"_a)
      .def_prop_ro("context", &SentenceEncoder::context,
                   "largest number of tokens of a text that is not cut")
      .def_prop_ro(
          "width", [](const SentenceEncoder& e) { return e.model().options().width; },
          "numbers of a vector");
}

}  // namespace gyre::python
