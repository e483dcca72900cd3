#pragma once
#include <cstdint>

#include "gyre/embed/training/point_table.h"
#include "gyre/relation/taxonomy.h"

namespace gyre {

/// How well distances tell which nodes are above which (Nickel and Kiela 2017, section 4.1).
struct Reconstruction {
  /// Mean over all pairs of 1 + how many nodes that are not above the child are as near to it as
  /// the parent, or nearer.
  double mean_rank = 0;
  /// Mean over all nodes that have some above them of their average precision: the mean over these
  /// of the share that is above among all that are as near or nearer.
  double map = 0;
};

/// Exact over the pairs of `queries` nodes, drawn by `seed`, against all nodes; of all nodes where
/// there are no more. Nodes at the same distance count against the embedding, so that the order of
/// the nodes does not matter. The same bits for any number of threads. The taxonomy has a pair.
Reconstruction reconstruct(const Taxonomy& taxonomy, const PointTable& points,
                           int64_t queries = INT64_MAX, uint64_t seed = 0);

}  // namespace gyre
