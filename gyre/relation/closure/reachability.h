#pragma once
#include <cstdint>

#include "gyre/relation/fixpoint_limits.h"
#include "gyre/relation/storage/digraph.h"
#include "gyre/relation/storage/row_sets.h"

namespace gyre {

/// What reachability() may use.
struct ReachabilityBudget {
  FixpointMeter& meter;
  int64_t held_bytes = 0;   ///< held elsewhere, for the limit of bytes
  int64_t known_pairs = 0;  ///< pairs of the result that do not count as new tuples
};

/// For each node the targets in `first` of all nodes that it reaches by edges of `steps`, itself
/// included: steps* · first. With `first` = `steps`, the transitive closure. One pass over the
/// strongly connected components in reverse topological order, whose nodes share a set each
/// (Nuutila 1995). Both graphs must have the same number of nodes. Throws LimitError.
RowSets reachability(const Digraph& steps, const Digraph& first, ReachabilityBudget budget);

/// For each node its targets in `first`, and those of these targets in `then`:
/// first · (1 + then). Throws LimitError.
RowSets extended(const Digraph& first, const RowSets& then, ReachabilityBudget budget);

}  // namespace gyre
