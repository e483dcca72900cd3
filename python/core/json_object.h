#pragma once
#include "gyre/io/json.h"
#include "python/core/errors.h"

namespace gyre::python {

/// A JSON value as Python dicts, lists, strings and numbers.
nb::object json_object(const Json& value);
/// The inverse. TypeError for objects that JSON cannot represent.
Json json_of(nb::handle o);

}  // namespace gyre::python
