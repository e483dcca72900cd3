#include "gyre/ops/shape/in_place.h"

#include "gyre/kernel/copy.h"
#include "gyre/op/apply.h"
#include "gyre/op/literals.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/in_place.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/tensor/kind.h"

namespace gyre {
const Tensor& copy_(const Tensor& x, const Tensor& values) {
  require_plain(x, "copy_");
  require_plain(values, "copy_");
  check_in_place(x, values.tracked() && is_floating(x.dtype()), "copy_");
  require_fit(values, x.dtype(), "copy_");
  Tensor source = expand(values, x.shape());
  Tensor apart = may_share_memory(x, source) ? clone(source) : source;
  Tensor history;  // created before anything is written, because it may throw
  if (grad_enabled() && is_floating(x.dtype()) && apart.tracked()) {
    history = to(on_device(apart, x.device()), x.dtype());
  }
  write_values(x, apart, history);
  return x;
}

const Tensor& fill_(const Tensor& x, double value) {
  require_plain(x, "fill_");
  check_in_place(x, false, "fill_");
  const Tensor element = full({}, value, {x.dtype(), x.device()});
  write_values(x, element, {});
  return x;
}

}  // namespace gyre
