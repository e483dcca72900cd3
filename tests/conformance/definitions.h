#pragma once
#include "tests/conformance/calls.h"

namespace gyre::conformance {

/// The results of an op written out from its formula in double with libm and plain loops, sharing
/// nothing with the library; empty when it is not written here. An op does not need one: it is then
/// judged by its composition and its derivatives alone. Operands are f64 or integers.
std::vector<Values> by_definition(const OpDef& op, const Call& call);

}  // namespace gyre::conformance
