#pragma once
#include "gyre/op/op_def.h"
#include "python/core/errors.h"

namespace gyre::python {

/// Adds the class gyre.Op, a callable for an op of the table: `op(tensors..., attributes...)`, with
/// attributes by position or name. It binds to an object like a function, so that it serves as a
/// method. It tells its name, doc, arguments, attributes and samples.
void add_op_class(nb::module_& m);

/// A callable for `op`; with `in_place`, for NAME_, which writes into its first argument.
nb::object op_object(const OpDef& op, bool in_place = false);

/// The op that a gyre.Op is. TypeError for another object.
const OpDef& definition_of(PyObject* op);

}  // namespace gyre::python
