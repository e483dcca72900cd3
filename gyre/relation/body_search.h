#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "gyre/relation/fixpoint.h"
#include "gyre/relation/join/body_join.h"
#include "gyre/relation/join/index_cache.h"

namespace gyre {

/// Finds bindings of one body after another, and keeps the indexes of the relations between them.
class BodySearch {
 public:
  /// The relations must outlive this. Meanwhile they may grow, but keep their layouts and tuples.
  BodySearch(std::span<const Relation> relations, const FixpointOptions& options);

  /// Rows of the relation of a positive literal, which has the layout `rows`.
  struct Rows {
    size_t literal;
    int64_t begin, end;
  };
  /// Yields `out` for every binding of a body over variables 0 to `variables` - 1, possibly more
  /// than once, in which the literal of `among` has one of those rows. The sink must not change the
  /// relations. Errors: as fixpoint().
  void for_bindings(std::span<const Literal> body, int variables, std::span<const Term> out,
                    const Rows& among, BodyJoin::Sink sink);
  /// The same, of all rows.
  void for_bindings(std::span<const Literal> body, int variables, std::span<const Term> out,
                    BodyJoin::Sink sink);
  /// As bindings() of fixpoint.h, without a limit of tuples.
  std::vector<uint32_t> bindings(std::span<const Literal> body, int variables,
                                 std::span<const uint32_t> wanted);
  /// As holds() of fixpoint.h.
  bool holds(std::span<const Literal> body, int variables);

 private:
  std::span<const Relation> relations_;
  FixpointMeter meter_;
  IndexCache indexes_;
  BodyJoin join_;
};

}  // namespace gyre
