#include "gyre/optim/rules/whole_step.h"

#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/shape/in_place.h"

namespace gyre {

Tensor weights_of(const ParameterStep& s) {
  const Tensor value = s.parameter.detach();
  if (!s.master.defined()) return value;
  return where(value == to(s.master, value.dtype()), s.master, to(value, s.master.dtype()));
}

void finish_step(const ParameterStep& s, const Tensor& weights, std::span<const Tensor> states) {
  for (size_t k = 0; k < states.size(); ++k) copy_(s.state[k], states[k]);
  if (s.master.defined()) copy_(s.master, weights);
  copy_(s.parameter.detach(), weights);
  ++s.steps;
}

}  // namespace gyre
