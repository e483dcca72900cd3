#pragma once
#include "gyre/base/record.h"
#include "gyre/io/json.h"

namespace gyre {

/// The reflected fields of a struct as a JSON object, in their order; dtypes and choices by name,
/// shapes as arrays.
[[nodiscard]] Json record_to_json(const Record& record, const void* object);
/// Sets the fields that the object names; others stay. A shape of one number may be that number.
/// Error{value} for a name that the record has not (naming one that is like it) and for a choice
/// that does not exist; Error{dtype} for a dtype that does not; Error{parse} for a value of another
/// type. All name the field, and fields before it may have been set.
void record_from_json(const Record& record, void* object, const Json& json);

/// Options as people write them in one word: a JSON object, or name=value pairs with commas
/// between, whose values are JSON or else text. Error{value} naming `what` for anything else.
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
