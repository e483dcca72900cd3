#pragma once
#include "gyre/op/op_def.h"
#include "python/core/errors.h"

namespace gyre::python {

/// Adds the class gyre.Op, a callable for an op of the table: `op(tensors..., attributes...)`, with
/// attributes by position or keyword. It binds to an instance like a function, so it can be a
/// method. Its attributes describe the op: name, doc, arguments, attributes and samples.
void add_op_class(nb::module_& m);

/// A callable for `op`; with `in_place`, for NAME_, which writes into its first argument.
nb::object op_object(const OpDef& op, bool in_place = false);

/// The op of a gyre.Op. TypeError for other objects.
const OpDef& definition_of(PyObject* op);

}  // namespace gyre::python
