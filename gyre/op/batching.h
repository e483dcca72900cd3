#pragma once
#include "gyre/op/op_def.h"

// Batching rules: calls on slices (tensor/batched.h) as one call on the whole batch.

namespace gyre {

/// A call on slices. Operand i of a slice is a slice of in[i] along axis 0 where batched[i], else
/// in[i] itself.
struct BatchedCall {
  const OpDef& op;
  const Attrs& attrs;
  Inputs in;
  std::span<const bool> batched;
  int64_t size;               ///< number of slices
  std::span<const Meta> out;  ///< results of one slice; none where they depend on values

  /// Rank of operand i in a slice.
  int rank(size_t i) const { return in[i].rank() - (batched[i] ? 1 : 0); }
};

}  // namespace gyre
