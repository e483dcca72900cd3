#include "python/records.h"

#include <string>
#include <vector>

#include "gyre/base/nearest.h"
#include "python/attributes.h"

namespace gyre::python {

nb::list fields_of(const Record& record) {
  static constexpr const char* kTypes[] = {"bool",  "int",   "float", "str",
                                           "dtype", "shape", "choice"};
  OpenAttrs standard(record);
  nb::list list;
  for (const Field& field : record.fields) {
    nb::dict d;
    d["name"] = field.name;
    d["type"] = kTypes[field.type];
    d["default"] = get_field(field, standard.memory);
    d["doc"] = field.doc;
    nb::list choices;
    for (const char* choice : field.choices) choices.append(choice);
    d["choices"] = choices;
    list.append(d);
  }
  return list;
}

nb::dict values_of(const Record& record, const void* object) {
  nb::dict d;
  for (const Field& field : record.fields) d[field.name] = get_field(field, object);
  return d;
}

Ref<OpenAttrs> options_from(const Record& record, const nb::dict& values) {
  auto options = make_ref<OpenAttrs>(record);
  for (const auto& [key, value] : values) {
    auto name = nb::cast<std::string>(key);
    const Field* field = find_field(record, name);
    if (!field) {
      std::vector<std::string> known;
      for (const Field& f : record.fields) known.emplace_back(f.name);
      wrong_type("there is no option " + name + suggestion(name, known));
    }
    set_field(*field, options->memory, value.ptr());
  }
  return options;
}

}  // namespace gyre::python
