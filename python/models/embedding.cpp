#include "gyre/embed/embedding.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "gyre/embed/embed.h"
#include "python/core/convert.h"
#include "python/core/records.h"
#include "python/models/python_sink.h"
#include "python/module.h"

namespace gyre::python {
namespace {

using namespace nb::literals;

nb::dict learn(const std::string& data, const nb::dict& options, const nb::object& stream,
               bool redraws, const nb::object& watch) {
  auto given = options_as<EmbedOptions>(options);
  given.data = data;
  const std::vector<std::string> names = keys_of(options);
  EmbeddingSink sink(stream, redraws, watch);
  const EmbedReport report = unlocked([&] { return embed(given, names, sink); });
  return values_of(record_of<EmbedReport>, &report);
}

std::vector<std::string> names_of(const Embedding& e) {
  std::vector<std::string> names;
  for (uint32_t node = 0; node < e.taxonomy().nodes(); ++node) {
    names.emplace_back(e.taxonomy().names[node]);
  }
  return names;
}

using Named = std::vector<std::pair<std::string, double>>;

Named named(const std::vector<Neighbour>& nodes) {
  Named all;
  for (const Neighbour& n : nodes) all.emplace_back(n.name, n.distance);
  return all;
}

nb::dict query(const Embedding& e, const std::string& word, const nb::dict& options) {
  const auto given = options_as<EmbedQueryOptions>(options);
  const EmbeddingAnswer answer = unlocked([&] { return e.query(word, given.neighbours); });
  nb::dict d;
  d["name"] = answer.name;
  d["neighbours"] = named(answer.neighbours);
  d["ancestors"] = named(answer.ancestors);
  return d;
}

}  // namespace

void add_embedding(nb::module_& m) {
  m.attr("embed_options") = fields_of(record_of<EmbedOptions>);
  m.attr("query_options") = fields_of(record_of<EmbedQueryOptions>);
  m.attr("embed_report") = fields_of(record_of<EmbedReport>);
  m.def("embed", learn, "data"_a, "options"_a, "stream"_a.none(), "redraws"_a, "watch"_a.none());
  nb::class_<Embedding>(m, "Embedding")
      .def("__init__",
           [](Embedding* self, const std::string& folder) {
             new (self) Embedding(EmbeddingFolder(folder));
           })
      .def_prop_ro("names", names_of, "names of the nodes, in the order of the points")
      .def_prop_ro(
          "points", [](const Embedding& e) { return tensor_object(e.points().coordinates()); },
          "f64 [nodes, dim]: points of the Poincare ball, spatial coordinates on the "
          "hyperboloid, or Euclidean points")
      .def_prop_ro(
          "model", [](const Embedding& e) { return name_of(e.points().geometry()); },
          "manifold of the points: poincare, lorentz or euclidean")
      .def(
          "index", [](const Embedding& e, const std::string& word) { return e.node(word); },
          "word"_a, "index in `names` of a node's name, or of the first node with a lemma")
      .def(
          "distance",
          [](const Embedding& e, const std::string& a, const std::string& b) {
            return e.distance(a, b);
          },
          "a"_a, "b"_a, "distance between two nodes")
      .def("_query", query, "word"_a, "options"_a);
}

}  // namespace gyre::python
