#include "gyre/op/view_history.h"

namespace gyre {
extern const OpDef as_strided_def;  // ops/index/as_strided.cpp

void give_base(const Tensor& view, const Tensor& x) {
  TensorImpl& impl = *view.impl();
  impl.base = x.impl()->base ? x.impl()->base : x.ref();
  impl.history_at = recorded_writes(view);
}

StridesAttrs place_in_base(const Tensor& view) {
  const TensorImpl& impl = *view.impl();
  return {view.shape(), view.strides(), impl.offset - impl.base->offset};
}

void renew_history(const Tensor& t) {
  TensorImpl& view = *t.impl();
  const uint32_t now = recorded_writes(t);
  if (!view.base || view.history_at == now) return;
  const Tensor base(view.base);
  check_history(base, "view");
  view.node = {};
  view.history_at = now;
  Tensors results{t};
  if (base.tracked()) record(as_strided_def, {&base, 1}, box(place_in_base(t)), results);
}

}  // namespace gyre
