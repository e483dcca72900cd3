#pragma once
#include <utility>

#include "gyre/base/function_ref.h"
#include "gyre/tensor/tensor.h"

namespace gyre {

/// A gradient hook; see on_gradient().
struct GradientHook : RefCounted {
  /// Returns the gradient that replaces `gradient`, or an empty Tensor to keep it.
  virtual Tensor operator()(const Tensor& gradient) = 0;
};

/// Removes a hook. Destroying the handle does not remove it, and the handle does not keep it alive:
/// the tensor does, or the graph that the tensor is a result of.
class HookHandle {
 public:
  HookHandle() = default;
  HookHandle(Ref<RefCounted> link, uint64_t id) : link_(std::move(link)), id_(id) {}
  /// Removes the hook; does nothing if it was removed or its tensor is gone. The hook may call it.
  void remove();

 private:
  Ref<RefCounted> link_;
  uint64_t id_ = 0;
};

/// Registers a hook that each backward pass calls with the complete gradient of `t`, before it is
/// propagated further or added to t.grad. Hooks run in the order of registration, each on the
/// result of the one before. The replacement must have the gradient's shape and dtype: Error{shape,
/// dtype}. Error{value} when `t` does not require grad.
HookHandle on_gradient(const Tensor& t, Ref<GradientHook> hook);

/// Registers a hook called with leaf.grad (empty if it got none) as soon as a backward() has
/// finished it, while other gradients are still being computed (post-accumulate hook). Its result
/// is ignored; grad() does not call it. Error{value} when `leaf` is not a leaf that requires grad.
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
HookHandle on_gradient(const Tensor& t, auto function) {
  return on_gradient(t, make_hook(std::move(function)));
}
HookHandle on_gradient_ready(const Tensor& leaf, auto function) {
  return on_gradient_ready(leaf, make_hook(std::move(function)));
}

/// Calls `call` with each hook in the list of a tensor or node, which may be null.
void for_each_hook(const Ref<RefCounted>& list, FunctionRef<void(const Ref<GradientHook>&)> call);

/// For the backward pass: runs the hooks of output `output` in `list` and replaces `gradient` by
/// their result.
void run_gradient_hooks(const Ref<RefCounted>& list, uint32_t output, Tensor& gradient);
/// For the backward pass: runs the on_gradient_ready hooks in `list`.
void run_ready_hooks(const Ref<RefCounted>& list, const Tensor& gradient);

}  // namespace gyre
