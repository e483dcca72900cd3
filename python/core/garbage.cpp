#include "python/core/garbage.h"

#include "gyre/autograd/owned_callables.h"

namespace gyre::python {

int traverse(const Tensor& t, visitproc visit, void* arg, uint32_t handles) {
  if (HoldsPython::alive.load(std::memory_order_relaxed) == 0) return 0;
  int stopped = 0;
  const auto visit_held = [&](const RefCounted& callable) {
    const auto* holder = dynamic_cast<const HoldsPython*>(&callable);
    if (holder && stopped == 0) stopped = holder->traverse(visit, arg);
  };
  for_each_owned_callable(t, visit_held, handles);
  return stopped;
}

}  // namespace gyre::python
