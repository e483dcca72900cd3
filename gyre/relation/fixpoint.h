#pragma once
#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gyre/relation/fixpoint_limits.h"
#include "gyre/relation/horn_rule.h"
#include "gyre/relation/relation.h"

namespace gyre {

/// Whether binary relations may become matrices of bits during an evaluation.
enum class MatrixUse : uint8_t { decide, never, always };

struct FixpointOptions {
  FixpointLimits limits{};
  /// Closures are computed without rounds, unless the limit of iterations is 1.
  bool closures = true;
  MatrixUse matrices = MatrixUse::decide;  ///< changes no answer
  /// When it becomes true, the evaluation throws LimitError (stopped) within a tenth of a second.
  const std::atomic<bool>* stop = nullptr;
};

/// What an evaluation did.
struct FixpointReport {
  int64_t iterations = 0;            ///< passes over the rules
  int64_t derived = 0;               ///< new tuples
  std::vector<std::string> plans{};  ///< a line for each rule: how it was evaluated
};

/// The least fixpoint of rules that may depend on each other (one stratum): adds the derived tuples
/// to the relations of the heads. A negated relation must not be the head of a rule.
/// Errors: value for invalid rules (see HornRule); LimitError.
FixpointReport fixpoint(std::span<Relation> relations, std::span<const HornRule> rules,
                        const FixpointOptions& options = {});

/// Continues after relations at their fixpoint have grown: `added[i]`, of the arity of
/// `relations[i]`, has the tuples that joined relation i since. Those that are not in it yet are
/// inserted. The tuples derived now are inserted into the relations and into `added`, so the same
/// call with the next stratum's rules continues from there. The relations are then those of a fresh
/// evaluation. Errors: as fixpoint(); value if a relation with added tuples is negated in a rule,
/// because its tuples may then refute others; shape for other numbers or arities of `added`.
FixpointReport continue_fixpoint(std::span<Relation> relations, std::span<const HornRule> rules,
                                 std::span<Relation> added, const FixpointOptions& options = {});

/// The bindings of the variables `wanted` for which a body over variables 0 to `variables` - 1
/// holds: each once, row-major, ascending. Errors: as fixpoint(); LimitError{tuples} for more
/// bindings than `options.limits.tuples`.
std::vector<uint32_t> bindings(std::span<const Relation> relations, std::span<const Literal> body,
                               int variables, std::span<const uint32_t> wanted,
                               const FixpointOptions& options = {});

/// The number of bindings of all variables of the positive literals for which a body holds, without
/// a list of them. Errors: as fixpoint().
int64_t count_bindings(std::span<const Relation> relations, std::span<const Literal> body,
                       int variables, const FixpointOptions& options = {});

/// Whether a body holds for any binding. Errors: as fixpoint().
bool holds(std::span<const Relation> relations, std::span<const Literal> body, int variables,
           const FixpointOptions& options = {});

}  // namespace gyre
