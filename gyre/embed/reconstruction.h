#pragma once
#include <cstdint>

#include "gyre/embed/training/point_table.h"
#include "gyre/relation/taxonomy.h"

namespace gyre {

/// Reconstruction quality (Nickel and Kiela 2017, section 4.1).
struct Reconstruction {
  /// Mean rank: mean over all pairs of 1 + the number of nodes, not above the child, that are at
  /// most as far from it as the parent.
  double mean_rank = 0;
  /// Mean average precision (MAP): mean over nodes of the mean, over the nodes above it, of the
  /// precision among all nodes that are at most as far.
  double map = 0;
};

/// Exact over the pairs of `queries` nodes, sampled with `seed` (all nodes if there are no more),
/// against all nodes. Ties count against the embedding, so the order of nodes does not matter.
/// Bitwise identical for any number of threads. The taxonomy must have a pair.
Reconstruction reconstruct(const Taxonomy& taxonomy, const PointTable& points,
                           int64_t queries = INT64_MAX, uint64_t seed = 0);

}  // namespace gyre
