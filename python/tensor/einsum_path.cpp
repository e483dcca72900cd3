#include <nanobind/stl/vector.h>

#include "gyre/ops/einsum/einsum.h"
#include "python/core/convert.h"
#include "python/core/nested_lists.h"
#include "python/module.h"

namespace gyre::python {
namespace {

using namespace nb::literals;

// The operands are separate arguments or one list, as for a variadic op.
EinsumPath path_of(const std::string& spec, const nb::args& tensors) {
  nb::handle items = tensors;
  if (tensors.size() == 1 && is_list(nb::handle(tensors[0]).ptr())) items = tensors[0];
  Tensors operands;
  for (nb::handle t : nb::iter(items)) operands.push_back(tensor_of(t.ptr()));
  return einsum_path(spec, operands);
}

// Without the final newline, as repr expects.
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
          "\"view\": permutation, diagonal or squeeze; \"sum\": sum over axes of one operand; "
          "\"pointwise\": broadcasting product; \"product\": batched matrix product")
      .def_ro("operands", &EinsumStep::operands,
              "operands of the call, then results of earlier steps")
      .def_ro("spec", &EinsumStep::spec,
              "einsum spec of the step; axes of an ellipsis have their own letters")
      .def_ro("flops", &EinsumStep::flops, "number of multiplications and additions")
      .def_ro("bytes", &EinsumStep::bytes, "bytes of the result")
      .def("__repr__", line_of);
  nb::class_<EinsumPath>(m, "EinsumPath", "Contraction order of an einsum; str() gives a table.")
      .def_ro("steps", &EinsumPath::steps)
      .def_ro("flops", &EinsumPath::flops, "FLOPs of all steps")
      .def_ro("naive_flops", &EinsumPath::naive_flops, "FLOPs of a single loop over all indices")
      .def_ro("bytes", &EinsumPath::bytes, "bytes of all intermediate results")
      .def("__repr__", table_of);
  m.def("einsum_path", path_of, "spec"_a, "tensors"_a,
        nb::sig("def einsum_path(spec: str, *tensors: TensorLike) -> EinsumPath"),
        "Contraction path of einsum(spec, *tensors) with the fewest FLOPs: the steps and the cost "
        "of each. Computes nothing.");
}

}  // namespace gyre::python
