#pragma once
#include <string>

#include "gyre/op/op_def.h"
#include "python/core/errors.h"

// An op of the table told to people and to Python's inspect.

namespace gyre::python {

/// The attributes that a call has where it gives none, by name.
nb::dict defaults_of(const OpDef& op);
/// "(x, axis=-1)", as inspect.signature() reads it.
std::string signature_of(const OpDef& op);
/// What help() shows below the signature: what it does, its arguments, results and gradient.
std::string page_of(const OpDef& op);

}  // namespace gyre::python
