#pragma once
#include "gyre/tensor/kind.h"

// Tensors that stand for each slice of a batch, for functions written for one slice
// (autograd/vmap.h). They have the shape of a slice and no bytes of their own.

namespace gyre {

/// What such a tensor has instead of bytes.
struct BatchedStorage final : KindStorage {
  BatchedStorage(Tensor whole, uint64_t at)
      : KindStorage(nullptr, 0, whole.device()), physical(std::move(whole)), level(at) {}
  const char* description() const noexcept override { return "a slice of a batch inside vmap()"; }
  Ref<Storage> detached() override { return make_ref<BatchedStorage>(physical.detach(), level); }
  // Nothing that it calls throws; the check loses track of that at the virtual call.
  bool tracked() const noexcept override {  // NOLINT(bugprone-exception-escape)
    return physical.tracked() || is_tracked_inside(physical);
  }
  Tensor physical;  ///< the whole batch; axis 0 counts its slices
  uint64_t level;   ///< nesting level of its vmap(); inner ones are higher
};

/// The tensor that stands for each slice of `physical` along axis 0, without history of its own.
Tensor make_batched(Tensor physical, uint64_t level);

inline bool is_batched(const Tensor& t) { return t.defined() && t.kind() == TensorKind::batched; }
/// What is behind a tensor for which is_batched() holds.
inline const BatchedStorage& batched_storage(const Tensor& t) {
  return static_cast<const BatchedStorage&>(*t.impl()->storage);
}
/// The values of all slices of all batches that t stands for; t itself when it is no slice.
Tensor all_slices(Tensor t);

}  // namespace gyre
