#include "python/core/records.h"

#include <algorithm>

#include "gyre/base/record_part.h"
#include "gyre/base/text/nearest.h"
#include "python/core/attributes.h"

namespace gyre::python {

const Field* field_called(const Record& record, std::string_view name) {
  const Field* field = find_field(record, name);
  for (const auto& [theirs, ours] : kSpellings) {
    if (!field && name == theirs) field = find_field(record, ours);
  }
  return field;
}

const char* type_name_of(const Field& field) {
  switch (field.type) {
    case Field::flag:
      return "bool";
    case Field::integer:
      return "int";
    case Field::real:
      return "float";
    case Field::text:
      return "str";
    case Field::texts:
      return "list";
    case Field::dtype:
      return "dtype";
    case Field::shape:
      return "shape";
    case Field::choice:
      return "choice";
  }
  return "";
}

nb::list fields_of(const Record& record, std::span<const Spelling> spellings) {
  OpenAttrs standard(record);
  nb::list list;
  for (const Field& field : record.fields) {
    nb::dict d;
    d["name"] = field.name;
    d["type"] = type_name_of(field);
    d["default"] = get_field(field, standard.memory);
    d["doc"] = field.doc;
    nb::list choices;
    for (const char* choice : field.choices) choices.append(choice);
    d["choices"] = choices;
    nb::list also;
    const std::vector<std::string> names = names_of(field);
    for (size_t i = 1; i < names.size(); ++i) also.append(nb::cast(names[i]));
    for (const auto& [theirs, ours] : spellings) {
      if (std::string_view(ours) == field.name && !find_field(record, theirs)) {
        also.append(nb::cast(std::string(theirs)));
      }
    }
    d["also"] = also;
    d["positional"] = (field.tags & kPositional) != 0;
    list.append(d);
  }
  return list;
}

nb::dict values_of(const Record& record, const void* object) {
  nb::dict d;
  for (const Field& field : record.fields) d[field.name] = get_field(field, object);
  return d;
}

std::vector<std::string> keys_of(const nb::dict& options) {
  std::vector<std::string> names;
  for (const auto& [name, value] : options) names.push_back(nb::cast<std::string>(name));
  return names;
}

Ref<OpenAttrs> options_from(const Record& record, const nb::dict& values) {
  auto options = make_ref<OpenAttrs>(record);
  std::vector<const Field*> set_before;
  for (const auto& [key, value] : values) {
    auto name = nb::cast<std::string>(key);
    const Field* field = find_field(record, name);
    if (!field) {
      std::vector<std::string> known;
      for (const Field& f : record.fields) known.emplace_back(f.name);
      wrong_type("no option " + name + suggestion(name, known));
    }
    if (std::ranges::find(set_before, field) != set_before.end())
      wrong_type(std::string("got ") + field->name + " twice, also as " + name);
    set_before.push_back(field);
    set_field(*field, options->memory, value.ptr());
  }
  return options;
}

}  // namespace gyre::python
