#include <nanobind/stl/vector.h>

#include "gyre/ops/einsum/einsum.h"
#include "python/core/convert.h"
#include "python/core/nested_lists.h"
#include "python/module.h"

namespace gyre::python {
namespace {

using namespace nb::literals;

// The operands are given one by one or in a list, as to an op that takes any number.
EinsumPath path_of(const std::string& spec, const nb::args& tensors) {
  nb::handle items = tensors;
  if (tensors.size() == 1 && is_list(nb::handle(tensors[0]).ptr())) items = tensors[0];
  Tensors operands;
  for (nb::handle t : nb::iter(items)) operands.push_back(tensor_of(t.ptr()));
  return einsum_path(spec, operands);
}

// As Python shows it, which ends the last line itself.
std::string table_of(const EinsumPath& path) {
  std::string text = path.text();
  text.pop_back();
  return text;
}

std::string line_of(const EinsumStep& step) {
  return std::string("<EinsumStep ") + name_of(step.kind) + " " + step.spec + ">";
}

}  // namespace

void add_einsum_path(nb::module_& m) {
  nb::class_<EinsumStep>(m, "EinsumStep", "One step of an einsum.")
      .def_prop_ro(
          "kind", [](const EinsumStep& step) { return name_of(step.kind); },
          "\"view\": permuted, a diagonal, or without axes of size 1; \"sum\": over axes of one "
          "operand; \"pointwise\": a product that broadcasts; \"product\": batches of matrix "
          "products")
      .def_ro("operands", &EinsumStep::operands, "those of the call, then results of earlier steps")
      .def_ro("spec", &EinsumStep::spec, "in which axes of an ellipsis have letters of their own")
      .def_ro("flops", &EinsumStep::flops, "multiplications and additions")
      .def_ro("bytes", &EinsumStep::bytes, "of the result")
      .def("__repr__", line_of);
  nb::class_<EinsumPath>(m, "EinsumPath", "How an einsum is computed; as text, a table.")
      .def_ro("steps", &EinsumPath::steps)
      .def_ro("flops", &EinsumPath::flops, "of all steps")
      .def_ro("naive_flops", &EinsumPath::naive_flops, "of one loop over all indices")
      .def_ro("bytes", &EinsumPath::bytes, "of all results but the last")
      .def("__repr__", table_of);
  m.def("einsum_path", path_of, "spec"_a, "tensors"_a,
        nb::sig("def einsum_path(spec: str, *tensors: TensorLike) -> EinsumPath"),
        "In which steps einsum(spec, *tensors) is computed, and what each costs: the contractions "
        "that take the fewest FLOPs. Nothing is computed.");
}

}  // namespace gyre::python
