#pragma once
#include <initializer_list>
#include <map>
#include <string>

#include "tests/conformance/dense.h"

namespace gyre::conformance {

/// Computes the results of an op from its formula in double with libm and plain loops, sharing
/// nothing with the library. `in` has the operands of the call (an absent one has no elements).
using Definition = std::function<std::vector<Values>(const Call&, const std::vector<Dense>& in)>;

/// Formulas by op name. Each file of definitions/ registers those of its folder of ops with an
/// object of this type at namespace level.
struct Definitions {
  explicit Definitions(std::map<std::string, Definition> formulas);
};

/// Whether the op has a formula. Without one it is tested by its composition and derivatives alone.
bool has_definition(const OpDef& op);

/// The results by the op's formula; empty when there is none, and for calls with random dropout.
/// Operands are f64 or integers.
std::vector<Values> by_definition(const OpDef& op, const Call& call);

}  // namespace gyre::conformance
