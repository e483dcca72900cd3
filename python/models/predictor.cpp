#include "gyre/models/supervised/predictor.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "gyre/registry/layer_table.h"
#include "python/core/convert.h"
#include "python/module.h"

namespace gyre::python {
namespace {

using namespace nb::literals;

nb::dict predictions(const Predictions& p) {
  nb::dict d, figures;
  for (const FigureDef& f : kFigures) figures[f.name] = p.figures.*f.value;
  d["values"] = tensor_object(p.values);
  d["probabilities"] = tensor_object(p.probabilities);
  d["figures"] = figures;
  return d;
}

// (predictions, notes)
nb::tuple of_source(Predictor& self, const std::string& source, bool strict) {
  const auto unknown = strict ? UnknownTableValues::error : UnknownTableValues::missing;
  const Predictions p = unlocked([&] { return self.of(source, unknown); });
  return nb::make_tuple(predictions(p), p.notes);
}

nb::dict of_arrays(Predictor& self, nb::handle x, nb::handle y) {
  Tensor examples = tensor_of(x.ptr()), targets = tensor_or_none(y.ptr());
  return predictions(unlocked([&] { return self.of(examples, targets); }));
}

}  // namespace

void add_predictor(nb::module_& m) {
  nb::class_<Predictor>(m, "Predictor")
      .def("__init__",
           [](Predictor* self, const std::string& folder) {
             new (self) Predictor(folder, layer_table());
           })
      .def_prop_ro(
          "classes", [](const Predictor& p) { return p.target().classes; },
          "names of the classes, indexed by prediction; empty for regression")
      .def_prop_ro(
          "target", [](const Predictor& p) { return p.target().name; }, "name of the target")
      .def("of_source", of_source, "source"_a, "strict"_a)
      .def("of_arrays", of_arrays, "x"_a, "y"_a.none());
}

}  // namespace gyre::python
