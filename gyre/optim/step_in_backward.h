#pragma once
#include <vector>

#include "gyre/autograd/hooks.h"
#include "gyre/optim/optimizer.h"

namespace gyre {

/// During its lifetime backward() updates each parameter as soon as its gradient is complete, and
/// then frees the gradient, which saves memory and time (PyTorch: fusing the optimizer step into
/// backward). The results are bitwise those of step() after backward(). Not for gradient
/// accumulation, nor for clipping and norms, which need all gradients.
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
