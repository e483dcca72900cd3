#include "gyre/relation/fixpoint.h"

#include "gyre/relation/stratum.h"

namespace gyre {

FixpointReport fixpoint(std::span<Relation> relations, std::span<const HornRule> rules,
                        const FixpointOptions& options) {
  return Stratum(relations, rules, options).evaluate();
}

FixpointReport continue_fixpoint(std::span<Relation> relations, std::span<const HornRule> rules,
                                 std::span<Relation> added, const FixpointOptions& options) {
  return Stratum(relations, rules, options).evaluate_after(added);
}

}  // namespace gyre
