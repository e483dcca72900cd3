#include "cli/table_text.h"

#include "gyre/io/record_json.h"
#include "gyre/op/attrs.h"

namespace gyre {

Json arguments_json(const ArgList& args) {
  Json list = Json::array();
  for (const Arg& arg : args) {
    Json a = Json::object();
    a["name"] = arg.name;
    a["optional"] = arg.optional;
    a["variadic"] = arg.variadic;
    a["differentiable"] = arg.differentiable;
    a["packed"] = arg.packed;
    if (arg.otherwise == arg.otherwise) a["default"] = arg.otherwise;
    list.push_back(std::move(a));
  }
  return list;
}

Json fields_json(const Record* record) {
  Json list = Json::array();
  if (!record) return list;
  const OpenAttrs standard(*record);
  const Json values = record_to_json(*record, standard.memory);
  static constexpr const char* kTypes[] = {"bool",  "int",   "float", "text",
                                           "texts", "dtype", "shape", "choice"};
  for (const Field& field : record->fields) {
    Json j = Json::object();
    j["name"] = field.name;
    j["type"] = kTypes[field.type];
    j["default"] = values.at(field.name);
    j["doc"] = field.doc;
    if (*field.alias) j["also"] = field.alias;
    if (!field.choices.empty()) j["choices"] = names_json(field.choices);
    list.push_back(std::move(j));
  }
  return list;
}

Json names_json(std::span<const char* const> names) {
  Json list = Json::array();
  for (const char* name : names) list.push_back(Json(name));
  return list;
}

std::string joined(const Json& list) {
  std::string text;
  for (const Json& item : list.as_array()) text += (text.empty() ? "" : " ") + item.as_string();
  return text;
}

void print_arguments(Output& out, const ArgList& args, const Record* record) {
  for (const Arg& arg : args) {
    out.print("  {:<12} {}{}{}{}\n", arg.name, arg.packed ? "packed tensor" : "tensor",
              arg.variadic ? "s, any number" : "", arg.optional ? ", optional" : "",
              arg.differentiable ? "" : ", no gradient");
  }
  const Json fields = fields_json(record);
  for (const Json& a : fields.as_array()) {
    std::string choices = a.find("choices") ? ": " + joined(a.at("choices")) : "";
    std::string also = a.find("also") ? " (also " + a.at("also").as_string() + ")" : "";
    out.print("  {:<12} {}{} = {}   {}{}\n", a.at("name").as_string(), a.at("type").as_string(),
              choices, a.at("default").dump(), a.at("doc").as_string(), also);
  }
}

}  // namespace gyre
