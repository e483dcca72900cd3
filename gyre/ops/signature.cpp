#include "gyre/ops/signature.h"

#include <fmt/format.h>

#include "gyre/io/record_json.h"
#include "gyre/op/attrs.h"

namespace gyre {

std::string signature(std::string_view name, const ArgList& args, const Record* record) {
  std::string text = std::string(name) + "(";
  const char* comma = "";
  for (const Arg& arg : args) {
    text += fmt::format("{}{}{}", comma, arg.name, arg.variadic ? "..." : arg.optional ? "?" : "");
    comma = ", ";
  }
  if (!record) return text + ")";
  const OpenAttrs standard(*record);
  const Json values = record_to_json(*record, standard.memory);
  for (const Field& field : record->fields) {
    const Json& value = values.at(field.name);
    text += comma + std::string(field.name);
    const bool required = field.type == Field::integer && value.as_real() < field.least;
    if (!required) text += "=" + value.dump();
    comma = ", ";
  }
  return text + ")";
}

}  // namespace gyre
