#pragma once
#include <vector>

#include "gyre/autograd/hooks.h"
#include "gyre/optim/optimizer.h"

namespace gyre {

/// While this lives, each backward() steps a parameter as soon as its gradient is whole, when that
/// still lies in the cache, and drops the gradient: less memory, and one pass over it less. Same
/// bits as step() afterwards, which then finds nothing to do. Norms of all gradients, and so
/// clipping, cannot be had, nor sums over several passes.
class StepInBackward {
 public:
  /// `optimizer` must outlive this. Parameters that want no gradients now are left alone.
  [[nodiscard]] explicit StepInBackward(Optimizer& optimizer);
  ~StepInBackward();
  StepInBackward(const StepInBackward&) = delete;
  StepInBackward& operator=(const StepInBackward&) = delete;

 private:
  std::vector<HookHandle> hooks_;
};

}  // namespace gyre
