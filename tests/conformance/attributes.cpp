#include "tests/conformance/attributes.h"

#include <cstring>
#include <memory>

namespace gyre::conformance {
namespace {

// Owns a struct known only by its Record.
struct Copied final : AttrsBox {
  explicit Copied(const AttrsBox& from) : memory(new std::max_align_t[from.type->size]) {
    type = from.type;
    value = memory.get();
    type->construct(memory.get());
    for (const Field& field : type->fields) {
      auto* to = at(field);
      const auto* source = static_cast<const std::byte*>(from.value) + field.offset;
      switch (field.type) {
        case Field::text:
          *reinterpret_cast<std::string*>(to) = *reinterpret_cast<const std::string*>(source);
          break;
        case Field::shape:
          *reinterpret_cast<Shape*>(to) = *reinterpret_cast<const Shape*>(source);
          break;
        case Field::integer:
        case Field::real:
          std::memcpy(to, source, 8);
          break;
        case Field::flag:
        case Field::dtype:
        case Field::choice:
          std::memcpy(to, source, 1);
      }
    }
  }
  ~Copied() override { type->destroy(memory.get()); }
  std::byte* at(const Field& field) {
    return reinterpret_cast<std::byte*>(memory.get()) + field.offset;
  }
  std::unique_ptr<std::max_align_t[]> memory;
};

}  // namespace

Attrs with_integer(const Attrs& attrs, const Field& field, int64_t value) {
  auto copy = make_ref<Copied>(*attrs);
  std::memcpy(copy->at(field), &value, sizeof value);
  return Attrs(copy);
}

Attrs with_shape(const Attrs& attrs, const Field& field, const Shape& value) {
  auto copy = make_ref<Copied>(*attrs);
  *reinterpret_cast<Shape*>(copy->at(field)) = value;
  return Attrs(copy);
}

}  // namespace gyre::conformance
