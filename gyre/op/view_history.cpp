#include "gyre/op/view_history.h"

#include <mutex>

namespace gyre {
extern const OpDef as_strided_def;  // ops/index/as_strided.cpp

void give_base(const Tensor& view, const Tensor& x) {
  if (x.impl()->is_view && !x.impl()->base) return;
  TensorImpl& impl = *view.impl();
  impl.base = x.impl()->base ? x.impl()->base : x.ref();
  impl.history_at = recorded_writes(view);
}

StridesAttrs place_in_base(const Tensor& view) {
  const TensorImpl& impl = *view.impl();
  return {view.shape(), view.strides(), impl.offset - impl.base->offset};
}

void renew_history(const Tensor& t) {
  static std::mutex renewing;  // threads may read one view
  TensorImpl& view = *t.impl();
  const uint32_t now = recorded_writes(t);
  if (!view.base || __atomic_load_n(&view.history_at, __ATOMIC_ACQUIRE) == now) return;
  const Tensor base(view.base);
  check_history(base, "view");
  Tensors part{alias_of(t)};
  if (base.tracked()) {
    if (!base.is_contiguous()) {
      throw Error(Code::value, "view",
                  "its base, which is not contiguous, was modified in place after it was made; "
                  "recreate the view after the write");
    }
    record(as_strided_def, {&base, 1}, box(place_in_base(t)), part);
  }
  std::lock_guard lock(renewing);
  if (view.history_at == now) return;
  view.node = part[0].impl()->node;
  view.output = part[0].impl()->output;
  __atomic_store_n(&view.history_at, now, __ATOMIC_RELEASE);  // last: then the node is read
}

}  // namespace gyre
