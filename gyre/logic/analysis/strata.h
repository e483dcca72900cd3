#pragma once
#include "gyre/logic/analysis/names.h"

namespace gyre::logic {

/// Entities that depend on each other, or one that does not depend on itself.
struct Component {
  enum Kind : uint8_t {
    plain,     ///< without recursion
    rules,     ///< relations by rules: least fixpoint
    extremes,  ///< tensors by min= or max=: least fixpoint
    ordered    ///< tensors by sums: in the order of an index
  };
  Kind kind = plain;
  std::vector<int> entities{};
};

/// The components of the dependency graph, each after those that it depends on (Tarjan 1972).
/// E0302.
std::vector<Component> components_of(const Names& names, Diagnostics& diagnostics);

/// Names that an expression refers to as tensors or relations.
void add_references(const Names& names, const Expr& expr, std::vector<int>& found);

}  // namespace gyre::logic
