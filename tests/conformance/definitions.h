#pragma once
#include <initializer_list>
#include <map>
#include <string>

#include "tests/conformance/dense.h"

namespace gyre::conformance {

/// The results of an op written out from its formula in double with libm and plain loops, sharing
/// nothing with the library. `in` has the operands of the call (an absent one has no elements).
using Definition = std::function<std::vector<Values>(const Call&, const std::vector<Dense>& in)>;

/// Formulas by the op's name. Each file of definitions/ adds those of its folder of ops with an
/// object of this type at namespace level.
struct Definitions {
  explicit Definitions(std::map<std::string, Definition> formulas);
};

/// Whether a formula of the op is written. One that has none is judged by its composition and its
/// derivatives alone.
bool has_definition(const OpDef& op);

/// The results by the op's formula; empty when none is written, and for calls that draw which
/// numbers are dropped. Operands are f64 or integers.
std::vector<Values> by_definition(const OpDef& op, const Call& call);

}  // namespace gyre::conformance
