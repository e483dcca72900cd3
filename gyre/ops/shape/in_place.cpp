#include "gyre/ops/shape/in_place.h"

#include "gyre/kernel/copy.h"
#include "gyre/op/apply.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

// Whether an element may be written by one and read by the other.
bool share_memory(const Tensor& a, const Tensor& b) {
  return a.impl()->storage == b.impl()->storage;
}

// Writing to an element that several indices share would leave it to chance who wins.
void check_writable(const Tensor& x, const char* op) {
  for (int i = 0; i < x.rank(); ++i) {
    if (x.shape()[i] > 1 && x.strides()[i] == 0) {
      throw Error(Code::value, op, "an expanded tensor cannot be written", {},
                  to_string(x.shape()));
    }
  }
}

void take_history(const Tensor& x, const Tensor& from) {
  TensorImpl& impl = *x.impl();
  impl.history_at = impl.storage->recorded_writes.fetch_add(1, std::memory_order_relaxed) + 1;
  impl.node = from.defined() ? from.impl()->node : Ref<RefCounted>();
  impl.output = from.defined() ? from.impl()->output : 0;
}

}  // namespace

void check_in_place(const Tensor& x, bool gains_history, const char* op) {
  check_writable(x, op);
  if (!grad_enabled()) return;
  if (x.requires_grad()) {
    throw Error(Code::value, op, "a leaf that requires a gradient is changed only under NoGrad");
  }
  if (x.impl()->is_view && (x.tracked() || gains_history)) {
    throw Error(Code::value, op, "a view cannot be changed in place while gradients are recorded");
  }
  if (gains_history && !x.tracked() && !x.impl()->storage.unique()) {
    throw Error(Code::value, op,
                "other tensors share this one's memory and would miss the history it gains");
  }
}

void bump_version(const Tensor& x) noexcept {
  x.impl()->storage->version.fetch_add(1, std::memory_order_relaxed);
}

const Tensor& copy_(const Tensor& x, const Tensor& values) {
  check_in_place(x, values.tracked() && is_floating(x.dtype()), "copy_");
  if (!(values.device() == x.device())) {
    throw Error(Code::device, "copy_", "the values lie on another device", to_string(x.device()),
                to_string(values.device()));
  }
  Tensor source = expand(values, x.shape());
  Tensor apart = share_memory(x, source) ? clone(source) : source;
  Tensor history;  // made before anything is written, because it may fail
  if (grad_enabled() && is_floating(x.dtype()) && apart.tracked()) history = to(apart, x.dtype());
  copy_elements(view_of(apart), view_of(x));
  bump_version(x);
  if (grad_enabled()) take_history(x, history);
  return x;
}

const Tensor& fill_(const Tensor& x, double value) {
  check_in_place(x, false, "fill_");
  copy_elements(view_of(full({}, value, {x.dtype(), x.device()})), view_of(x));
  bump_version(x);
  if (grad_enabled()) take_history(x, {});
  return x;
}

}  // namespace gyre
