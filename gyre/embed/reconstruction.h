#pragma once
#include <cstdint>
#include <limits>

#include "gyre/base/record.h"
#include "gyre/embed/training/point_table.h"
#include "gyre/relation/taxonomy.h"

namespace gyre {

/// Reconstruction quality (Nickel and Kiela 2017, section 4.1); NaN: not measured.
struct Reconstruction {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  /// Mean rank: mean over all pairs of 1 + the number of nodes, not above the child, that are at
  /// most as far from it as the parent.
  double mean_rank = kNone;
  /// Mean average precision (MAP): mean over nodes of the mean, over the nodes above it, of the
  /// precision among all nodes that are at most as far.
  double map = kNone;
};
GYRE_FIELDS(Reconstruction,
            GYRE_FIELD(mean_rank, "mean rank of a true ancestor among all non-ancestors"),
            GYRE_FIELD(map, "mean average precision (MAP) of ancestors"));

/// Exact over the pairs of `queries` nodes, sampled with `seed` (all nodes if there are no more),
/// against all nodes. Ties count against the embedding, so the order of nodes does not matter.
/// Bitwise identical for any number of threads. The taxonomy must have a pair.
Reconstruction reconstruct(const Taxonomy& taxonomy, const PointTable& table,
                           int64_t queries = INT64_MAX, uint64_t seed = 0);

}  // namespace gyre
