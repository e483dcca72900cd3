#include "gyre/base/record.h"

namespace gyre {

const Field* find_field(const Record& record, std::string_view name) noexcept {
  for (const Field& field : record.fields) {
    if (name == field.name) return &field;
  }
  return nullptr;
}

}  // namespace gyre
