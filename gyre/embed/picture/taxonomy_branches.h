#pragma once
#include <cstdint>
#include <vector>

#include "gyre/relation/taxonomy.h"

namespace gyre {

/// Parts of a taxonomy that belong together.
struct Branches {
  std::vector<uint32_t> heads;  ///< the nodes at their top, the one above most first
  std::vector<int32_t> branch;  ///< of every node: place in `heads`; -1: none
};

/// At most `most` branches, found by taking the largest apart into what is right below its head as
/// long as that gives parts of some size. `edges` is the reduction of `closure`.
Branches branches_of(const Taxonomy& closure, const Taxonomy& edges, size_t most);

}  // namespace gyre
