#pragma once
#include <span>

#include "gyre/base/record.h"
#include "gyre/io/json.h"

namespace gyre {

/// The field of that name or alias. Error{value} of `op` for an unknown name, suggesting a similar
/// one.
const Field& field_named(const char* op, const Record& record, std::string_view name);

/// The names of the fields that `names`, which may be aliases, stand for. Errors as above.
std::vector<std::string> own_names(const char* op, const Record& record,
                                   std::span<const std::string> names);

/// The reflected fields of a struct as a JSON object, in order; dtypes and choices by name, shapes
/// and texts as arrays.
[[nodiscard]] Json record_to_json(const Record& record, const void* object);
/// Sets the fields that the object names, also by aliases; others keep their values. A shape of one
/// axis may be given as a number, texts as one string. Error{value} for an unknown name (suggesting
/// a similar one), a field named twice, and an unknown choice; Error{dtype} for an unknown dtype;
/// Error{parse} for a value of another type. All name the field; fields before it may already be
/// set.
void record_from_json(const Record& record, void* object, const Json& json);

/// Parses options from text: a JSON object, or name=value pairs separated by commas, whose values
/// are JSON or else text. Error{value} naming `what` for anything else.
[[nodiscard]] Json options_of_text(std::string_view text, const char* what);

template <class T>
[[nodiscard]] Json record_to_json(const T& object) {
  return record_to_json(record_of<T>, &object);
}
/// The fields with values that those of a default object do not have.
[[nodiscard]] Json changed_fields(const Record& record, const void* object, const void* plain);
template <class T>
[[nodiscard]] Json changed_fields(const T& object) {
  const T plain{};
  return changed_fields(record_of<T>, &object, &plain);
}
template <class T>
void record_from_json(T& object, const Json& json) {
  record_from_json(record_of<T>, &object, json);
}

}  // namespace gyre
