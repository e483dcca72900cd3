#pragma once
#include <string>

#include "gyre/op/op_def.h"
#include "python/core/errors.h"

// Documentation of an op, for help() and inspect.

namespace gyre::python {

/// The default attribute values by name.
nb::dict defaults_of(const OpDef& op);
/// "(x, axis=-1)", as inspect.signature() reads it.
std::string signature_of(const OpDef& op);
/// The text that help() shows below the signature: description, arguments, results and gradient.
std::string page_of(const OpDef& op);

}  // namespace gyre::python
