#pragma once
#include "gyre/tensor/tensor.h"

// Tensors that stand for each slice of a batch, for functions written for one slice
// (autograd/vmap.h). They have a slice's shape and no bytes of their own.

namespace gyre {

/// What such a tensor has instead of bytes.
struct BatchedStorage final : Storage {
  BatchedStorage(Tensor whole, uint64_t at)
      : Storage(nullptr, 0, whole.device()), physical(std::move(whole)), level(at) {}
  Tensor physical;  ///< the whole batch; axis 0 counts its slices
  uint64_t level;   ///< whose batch it is; inner ones have higher numbers
};

/// The tensor that stands for each slice of `physical` along axis 0, without history of its own.
Tensor make_batched(Tensor physical, uint64_t level);

inline bool is_batched(const Tensor& t) { return t.defined() && t.impl()->is_batched; }
/// What is behind a tensor for which is_batched() holds.
inline const BatchedStorage& batched_storage(const Tensor& t) {
  return static_cast<const BatchedStorage&>(*t.impl()->storage);
}
/// Whether the batch that t stands for has a history, or the one that this stands for.
bool has_tracked_batch(const Tensor& t);

}  // namespace gyre
