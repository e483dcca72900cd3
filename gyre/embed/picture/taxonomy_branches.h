#pragma once
#include <cstdint>
#include <vector>

#include "gyre/relation/taxonomy.h"

namespace gyre {

/// Partition of a taxonomy into branches.
struct Branches {
  std::vector<uint32_t> heads;  ///< root of each branch, by descending number of descendants
  std::vector<int32_t> branch;  ///< of every node: index into `heads`; -1: none
};

/// At most `most` branches, found by repeatedly splitting the largest into the children of its head
/// while the parts are large enough. `edges` is the transitive reduction of `closure`.
Branches branches_of(const Taxonomy& closure, const Taxonomy& edges, size_t most);

}  // namespace gyre
