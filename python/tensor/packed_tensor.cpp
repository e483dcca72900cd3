#include "python/tensor/packed_tensor.h"

#include <fmt/format.h>

#include "gyre/ops/shape/shape.h"
#include "gyre/packed/packed.h"

namespace gyre::python {

size_t bytes_of(const Tensor& t) {
  if (is_packed(t)) return packed_storage(t).bytes;
  return static_cast<size_t>(t.numel()) * size_of(t.dtype());
}

std::string packed_text(const Tensor& t) {
  const PackedStorage& storage = packed_storage(t);
  return fmt::format("packed in {}, shape={}, {} bytes", storage.layout.format->name,
                     to_string(t.shape()), storage.bytes);
}

namespace {

nb::object part(const Tensor& t, Tensor (*of)(const Tensor&)) {
  return is_packed(t) ? tensor_object(clone(of(t))) : nb::none();
}

}  // namespace

void add_packed_members(TensorClass& c) {
  c.def_prop_ro("is_packed", is_packed, "whether the tensor holds packed weights (gyre.packed)")
      .def_prop_ro(
          "format",
          [](const Tensor& t) -> nb::object {
            if (!is_packed(t)) return nb::none();
            return nb::str(packed_storage(t).layout.format->name);
          },
          nb::for_getter(nb::sig("def format(self) -> str | None")),
          "format of packed weights; None for other tensors")
      .def_prop_ro(
          "words", [](const Tensor& t) { return part(t, packed_words); },
          nb::for_getter(nb::sig("def words(self) -> Tensor | None")),
          "a copy of the words of packed weights, int64 [n, 2]; None for other tensors")
      .def_prop_ro(
          "headers", [](const Tensor& t) { return part(t, packed_headers); },
          nb::for_getter(nb::sig("def headers(self) -> Tensor | None")),
          "a copy of the headers of packed weights, int64 [n, 2]; None for other tensors")
      .def(
          "decode", [](const Tensor& t) { return tensor_object(packed_decode(t)); },
          nb::sig("def decode(self) -> Tensor"),
          "Packed weights as a plain f32 tensor, differentiable as the op packed_decode.");
}

}  // namespace gyre::python
