#pragma once
#include "gyre/base/record.h"
#include "gyre/io/json.h"

namespace gyre {

/// The reflected fields of a struct as a JSON object, in order; dtypes and choices by name, shapes
/// as arrays.
[[nodiscard]] Json record_to_json(const Record& record, const void* object);
/// Sets the fields that the object names; others keep their values. A shape of one axis may be
/// given as a number. Error{value} for an unknown name (suggesting a similar one) and for an
/// unknown choice; Error{dtype} for an unknown dtype; Error{parse} for a value of another type. All
/// name the field; fields before it may already be set.
void record_from_json(const Record& record, void* object, const Json& json);

/// Parses options from text: a JSON object, or name=value pairs separated by commas, whose values
/// are JSON or else text. Error{value} naming `what` for anything else.
[[nodiscard]] Json options_of_text(std::string_view text, const char* what);

template <class T>
[[nodiscard]] Json record_to_json(const T& object) {
  return record_to_json(record_of<T>, &object);
}
template <class T>
void record_from_json(T& object, const Json& json) {
  record_from_json(record_of<T>, &object, json);
}

}  // namespace gyre
