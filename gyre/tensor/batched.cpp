#include "gyre/tensor/batched.h"

namespace gyre {

Tensor make_batched(Tensor physical, uint64_t level) {
  const Shape &shape = physical.shape(), &strides = physical.strides();
  Meta meta;
  meta.dtype = physical.dtype();
  meta.device = physical.device();
  for (int i = 1; i < shape.rank; ++i) meta.shape.push_back(shape[i]);
  Shape slice_strides;
  for (int i = 1; i < shape.rank; ++i) slice_strides.push_back(strides[i]);
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
