#pragma once
#include <vector>

#include "gyre/autograd/hooks.h"
#include "gyre/optim/optimizer.h"

namespace gyre {

/// While alive, steps each parameter in backward() as soon as its gradient is complete and still in
/// cache, then frees the gradient: less memory and one pass less. Bitwise equal to step() after
/// backward(), which then has nothing to do. Excludes anything that needs all gradients, such as
/// norms and clipping, and gradient accumulation.
class StepInBackward {
 public:
  /// `optimizer` must outlive this. Parameters that do not require gradients now are skipped.
  [[nodiscard]] explicit StepInBackward(Optimizer& optimizer);
  ~StepInBackward();
  StepInBackward(const StepInBackward&) = delete;
  StepInBackward& operator=(const StepInBackward&) = delete;

 private:
  std::vector<HookHandle> hooks_;
};

}  // namespace gyre
