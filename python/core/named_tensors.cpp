#include "python/core/named_tensors.h"

#include <string>

#include "python/core/convert.h"

namespace gyre::python {

std::vector<NamedTensor> tensors_by_name(nb::handle mapping) {
  if (!nb::hasattr(mapping, "items")) wrong_type("expected a dict of tensors by name");
  std::vector<NamedTensor> tensors;
  for (nb::handle pair : nb::iter(mapping.attr("items")())) {
    nb::object name = nb::borrow(pair)[0], value = nb::borrow(pair)[1];
    if (!nb::isinstance<nb::str>(name)) wrong_type("expected str keys as tensor names");
    tensors.push_back({nb::cast<std::string>(name), tensor_of(value.ptr())});
  }
  return tensors;
}

nb::dict dict_of(const std::vector<NamedTensor>& tensors) {
  nb::dict dict;
  for (const NamedTensor& t : tensors) dict[nb::cast(t.name)] = tensor_object(t.tensor);
  return dict;
}

}  // namespace gyre::python
