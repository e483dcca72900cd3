#include "tests/conformance/attributes.h"

namespace gyre::conformance {

Attrs with_integer(const Attrs& attrs, const Field& field, int64_t value) {
  Ref<OpenAttrs> copy = copy_of(*attrs);
  field_value<int64_t>(copy->memory, field) = value;
  return copy;
}

Attrs with_shape(const Attrs& attrs, const Field& field, const Shape& value) {
  Ref<OpenAttrs> copy = copy_of(*attrs);
  field_value<Shape>(copy->memory, field) = value;
  return copy;
}

}  // namespace gyre::conformance
