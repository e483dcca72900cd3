#include "python/core/records.h"

#include <algorithm>

#include "gyre/base/record_part.h"
#include "gyre/base/text/nearest.h"
#include "python/core/attributes.h"

namespace gyre::python {

bool is_spelling(std::string_view name, std::string_view ours) {
  return std::ranges::any_of(
      kSpellings, [&](const Spelling& s) { return s.first == name && s.second == ours; });
}

const Field* field_called(const Record& record, std::string_view name) {
  const Field* field = find_field(record, name);
  for (const Field& f : record.fields) {
    if (!field && is_spelling(name, f.name)) field = &f;
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
  for (const auto& [name, value] : options)
    names.push_back(argument_as<std::string>(name, "options", "str keys"));
  return names;
}

namespace {

// "Linear: no option dtype (options: in_, out, bias)".
[[noreturn]] void refuse_option(const Record& record, const std::string& name) {
  std::vector<std::string> known;
  std::string all, owner = record.name;
  for (const Field& f : record.fields) {
    known.emplace_back(f.name == std::string_view("in") ? "in_" : f.name);
    all += (all.empty() ? "" : ", ") + known.back();
  }
  if (owner.ends_with("Options")) owner.resize(owner.size() - 7);
  const std::string near = suggestion(name, known);
  const bool few = known.size() <= 16;
  wrong_type(owner + ": no option " + name +
             (near.empty() && few ? " (options: " + all + ")" : near));
}

}  // namespace

Ref<OpenAttrs> options_from(const Record& record, const nb::dict& values, const void* rest) {
  auto options = make_ref<OpenAttrs>(record);
  if (rest) record.assign(options->memory, rest);
  std::vector<const Field*> set_before;
  for (const auto& [key, value] : values) {
    auto name = argument_as<std::string>(key, "options", "str keys");
    const Field* field = field_called(record, name);
    if (!field) refuse_option(record, name);
    if (std::ranges::find(set_before, field) != set_before.end())
      wrong_type({"got ", field->name, " twice, also as ", name});
    set_before.push_back(field);
    set_field(*field, options->memory, value.ptr());
  }
  return options;
}

}  // namespace gyre::python
