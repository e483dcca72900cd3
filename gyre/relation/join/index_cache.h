#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gyre/relation/fixpoint_limits.h"
#include "gyre/relation/join/column_index.h"
#include "gyre/relation/relation.h"

namespace gyre {

/// The column indexes of an evaluation, built when first needed.
class IndexCache {
 public:
  /// Both must outlive the cache.
  IndexCache(std::span<const Relation> relations, FixpointMeter& meter);

  /// The up-to-date index of a relation by a set of columns (bits). Valid as long as the cache.
  const ColumnIndex& get(int relation, uint32_t columns);
  /// The transposed matrix of a relation in the layout `bits`, up to date. Valid until the next
  /// call.
  const BitMatrix& transposed(int relation);
  /// Forgets the indexes of a relation whose layout has changed.
  void drop(int relation);
  /// The number of keys of that index when it was last used; 0 if it was not.
  [[nodiscard]] int64_t keys(int relation, uint32_t columns) const;
  /// Bytes held by all relations and indexes.
  [[nodiscard]] int64_t bytes() const;

 private:
  struct Entry {
    uint32_t columns;
    std::unique_ptr<ColumnIndex> index;
  };
  struct Transposed {
    BitMatrix matrix{};
    int64_t size = -1;  // of the relation when it was made
  };
  std::span<const Relation> relations_;
  FixpointMeter& meter_;
  std::vector<Transposed> transposed_;       // by relation
  std::vector<std::vector<Entry>> entries_;  // by relation
};

}  // namespace gyre
