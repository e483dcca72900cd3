#pragma once
#include "gyre/io/json.h"
#include "python/core/errors.h"

namespace gyre::python {

/// A JSON value as dicts, lists and numbers of Python.
nb::object json_object(const Json& value);
/// The other way round. TypeError for what JSON has not.
Json json_of(nb::handle o);

}  // namespace gyre::python
