#include "gyre/tensor/batched.h"

namespace gyre {

Tensor make_batched(Tensor physical, uint64_t level) {
  const Shape slice_strides = physical.strides().without(0);
  Meta meta;
  meta.dtype = physical.dtype();
  meta.device = physical.device();
  meta.shape = physical.shape().without(0);
  Tensor t =
      make_of_kind(TensorKind::batched, meta, make_ref<BatchedStorage>(std::move(physical), level));
  t.impl()->strides = slice_strides;
  return t;
}

Tensor all_slices(Tensor t) {
  while (is_batched(t)) t = batched_storage(t).physical;
  return t;
}

}  // namespace gyre
