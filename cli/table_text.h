#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "gyre/base/text/nearest.h"
#include "gyre/op/op_def.h"
#include "gyre/ops/signature.h"

// Text and JSON shared by `gyre ops` and `gyre layers`.

namespace gyre {

/// The arguments as a list of objects.
Json arguments_json(const ArgList& args);
/// The fields of a record with type, default, doc and choices; an empty list for null.
Json fields_json(const Record* record);
/// Strings as a JSON list.
Json names_json(std::span<const char* const> names);
/// The strings of a list, joined by spaces.
std::string joined(const Json& list);

/// Prints one line per argument and field.
void print_arguments(Output& out, const ArgList& args, const Record* record);

/// The entry of that name. Throws UsageError with the nearest name; `what` is "op" or
/// "layer".
template <class Def>
const Def* entry_called(const char* what, std::span<const Def* const> table,
                        const std::string& name) {
  std::vector<std::string> names;
  for (const Def* entry : table) {
    if (name == entry->name) return entry;
    names.emplace_back(entry->name);
  }
  std::string near = nearest(name, names);
  throw UsageError(fmt::format("unknown {} '{}'", what, name),
                   near.empty() ? std::string() : "did you mean " + near + "?");
}

}  // namespace gyre
