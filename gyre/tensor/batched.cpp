#include "gyre/tensor/batched.h"

namespace gyre {

Tensor make_batched(Tensor physical, uint64_t level) {
  auto impl = make_ref<TensorImpl>();
  const Shape &shape = physical.shape(), &strides = physical.strides();
  for (int i = 1; i < shape.rank; ++i) {
    impl->meta.shape.push_back(shape[i]);
    impl->strides.push_back(strides[i]);
  }
  impl->meta.dtype = physical.dtype();
  impl->meta.device = physical.device();
  impl->is_batched = true;
  impl->storage = make_ref<BatchedStorage>(std::move(physical), level);
  return Tensor(std::move(impl));
}

bool has_tracked_batch(const Tensor& t) {
  if (!is_batched(t)) return false;
  const Tensor& physical = batched_storage(t).physical;
  return physical.tracked() || has_tracked_batch(physical);
}

}  // namespace gyre
