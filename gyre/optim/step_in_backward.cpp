#include "gyre/optim/step_in_backward.h"

namespace gyre {

// A gradient is ready after all uses of the parameter have been differentiated, so backward no
// longer needs the old value.
StepInBackward::StepInBackward(Optimizer& optimizer) {
  for (size_t i = 0; i < optimizer.parameters().size(); ++i) {
    const Tensor& parameter = optimizer.parameters()[i];
    if (!parameter.requires_grad()) continue;
    TensorImpl* leaf = parameter.impl();
    hooks_.push_back(on_gradient_ready(parameter, [&optimizer, leaf, i](const Tensor&) {
      optimizer.step_parameter(i);
      leaf->grad = {};
    }));
  }
}

StepInBackward::~StepInBackward() {
  for (HookHandle& hook : hooks_) hook.remove();
}

}  // namespace gyre
