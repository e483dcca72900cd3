#pragma once
#include "gyre/op/attrs.h"
#include "python/errors.h"

// Reflected structs as Python sees them: options of layers, optimisers, trainings.

namespace gyre::python {

/// The fields, in their order: dicts of name, type, default, doc, choices.
nb::list fields_of(const Record& record);
/// The fields of an object by name.
nb::dict values_of(const Record& record, const void* object);
/// An object whose fields have the values that the dict names, and else their defaults. TypeError
/// for a name that the record has not, telling one that is like it; TypeError or ValueError for a
/// value that does not fit.
Ref<OpenAttrs> options_from(const Record& record, const nb::dict& values);

/// The same for a struct that is known here.
template <class T>
T options_as(const nb::dict& values) {
  return *static_cast<const T*>(options_from(record_of<T>, values)->value);
}

}  // namespace gyre::python
