#pragma once
#include <set>

#include "gyre/logic/analysis/names.h"
#include "gyre/logic/analysis/node.h"
#include "gyre/op/op_table.h"

namespace gyre::logic {

/// What an equation is lowered with.
struct LowerContext {
  Names& names;
  const OpTable& ops;
  Diagnostics& diagnostics;        ///< for warnings
  const std::set<int>& component;  ///< entities that depend on each other with the one defined
  /// Values of the names that a script has bound; null: none.
  const std::unordered_map<std::string, NodePtr>* locals = nullptr;
};

/// Lowers an equation: finds the ranges of its indices (S2) and where its sums stand (S4). Sets the
/// axes of the tensor on the left as far as they are not declared. Throws Refused.
Lowered lower(const Equation& equation, int entity, Place place, const LowerContext& context);

/// Lowers an expression whose result has an axis for each of its variables, in order of first
/// sight. A slice is an axis of its own.
Lowered lower_query(const Expr& expr, const std::optional<Expr>& where, Place place,
                    const LowerContext& context);

/// The same, but only these variables, whose ranges may be known, are axes of the result.
Lowered lower_value(const Expr& expr, const std::vector<Variable>& wanted, Place place,
                    const LowerContext& context);

}  // namespace gyre::logic
