#pragma once
#include <utility>

#include "gyre/tensor/tensor.h"

namespace gyre {

/// A function that sees a gradient; see on_gradient().
struct GradientHook : RefCounted {
  /// Gets the gradient of the tensor; returns the one to go on with, or an empty Tensor for the
  /// same.
  virtual Tensor operator()(const Tensor& gradient) = 0;
};

/// Removes a hook. Dropping the handle does not.
class HookHandle {
 public:
  HookHandle() = default;
  HookHandle(Ref<RefCounted> list, uint64_t id) : list_(std::move(list)), id_(id) {}
  /// The hook is not called any more; a second call does nothing.
  void remove();

 private:
  Ref<RefCounted> list_;
  uint64_t id_ = 0;
};

/// Calls `hook` with the whole gradient of `t` in each backward pass that reaches it, before it
/// goes on to what `t` was computed from or into t.grad. Hooks run in the order in which they were
/// added, each on the result of the one before. The replacement must have the gradient's shape and
/// dtype: Error{shape, dtype}. Error{value} when `t` is not tracked.
HookHandle on_gradient(const Tensor& t, Ref<GradientHook> hook);

/// Calls `hook` with leaf.grad (empty if it got none) as soon as a backward() has finished the
/// gradient of `leaf`, while others are still being computed; what it returns is ignored. grad()
/// does not call it. Error{value} when `leaf` is not a leaf that requires a gradient.
HookHandle on_gradient_ready(const Tensor& leaf, Ref<GradientHook> hook);

/// The same with a callable: Tensor(const Tensor&) or void(const Tensor&).
template <class F>
Ref<GradientHook> make_hook(F function) {
  struct Hook final : GradientHook {
    explicit Hook(F f) : call(std::move(f)) {}
    Tensor operator()(const Tensor& gradient) override {
      if constexpr (std::is_void_v<decltype(call(gradient))>) {
        call(gradient);
        return {};
      } else {
        return call(gradient);
      }
    }
    F call;
  };
  return Ref<GradientHook>(new Hook(std::move(function)));
}
template <class F>
HookHandle on_gradient(const Tensor& t, F function) {
  return on_gradient(t, make_hook(std::move(function)));
}
template <class F>
HookHandle on_gradient_ready(const Tensor& leaf, F function) {
  return on_gradient_ready(leaf, make_hook(std::move(function)));
}

/// For the backward pass: runs the hooks on output `output`, in whose list they are. `gradient` is
/// replaced by what they return.
void run_gradient_hooks(const Ref<RefCounted>& list, uint32_t output, Tensor& gradient);
/// For the backward pass: tells the ready hooks of a leaf.
void run_ready_hooks(const TensorImpl& leaf);

}  // namespace gyre
