#include "gyre/autograd/hooks.h"

#include <mutex>
#include <utility>

#include "gyre/base/error.h"
#include "gyre/op/node.h"

namespace gyre {
namespace {

// The output number that stands for on_gradient_ready() of a leaf.
constexpr uint32_t kReady = ~uint32_t{0};

struct HookList;

// What a list shares with its handles, which refer to it weakly: a hook that holds its own handle
// would be a cycle otherwise. The mutex is for handles on other threads than the one that frees the
// list; hooks are destroyed outside of it, since that may wait for other locks.
struct Link : RefCounted {
  explicit Link(HookList* of) : list(of) {}
  std::mutex mutex;
  HookList* list;  // null once it is gone
};

struct HookList : RefCounted {
  struct Entry {
    Ref<GradientHook> hook;
    uint32_t output;
    uint64_t id;
  };
  HookList() : link(make_ref<Link>(this)) {}
  ~HookList() override {
    const std::lock_guard lock(link->mutex);
    link->list = nullptr;
  }
  Ref<GradientHook> take(uint64_t id) {
    Ref<GradientHook> taken;
    for (size_t i = 0; i < entries.size(); ++i) {
      if (entries[i].id != id) continue;
      taken = std::move(entries[i].hook);
      for (size_t j = i + 1; j < entries.size(); ++j) entries[j - 1] = std::move(entries[j]);
      entries.pop_back();
      break;
    }
    return taken;
  }
  SmallVector<Entry, 2> entries;
  uint64_t last_id = 0;
  Ref<Link> link;
};

HookHandle add_hook(Ref<RefCounted>& list, uint32_t output, Ref<GradientHook> hook) {
  if (!list) list = make_ref<HookList>();
  auto& hooks = static_cast<HookList&>(*list);
  const std::lock_guard lock(hooks.link->mutex);
  hooks.entries.push_back({std::move(hook), output, ++hooks.last_id});
  return {hooks.link, hooks.last_id};
}

// Hooks may remove themselves and add others; hooks added during the loop are not called.
void run_hooks(const Ref<RefCounted>& list, uint32_t output, auto call) {
  Ref<RefCounted> alive = list;
  auto& hooks = static_cast<HookList&>(*alive);
  SmallVector<Ref<GradientHook>, 2> chosen;
  {
    const std::lock_guard lock(hooks.link->mutex);
    for (const auto& entry : hooks.entries) {
      if (entry.output == output) chosen.push_back(entry.hook);
    }
  }
  for (const Ref<GradientHook>& hook : chosen) call(*hook);
}

void check_replacement(const Tensor& old, const Tensor& now) {
  if (!(now.shape() == old.shape())) {
    throw Error(Code::shape, "gradient hook", "the hook returned a gradient of another shape",
                old.shape(), now.shape());
  }
  if (now.dtype() != old.dtype()) {
    throw Error(Code::dtype, "gradient hook", "the hook returned a gradient of another dtype",
                old.dtype(), now.dtype());
  }
}

}  // namespace

void for_each_hook(const Ref<RefCounted>& list, FunctionRef<void(const Ref<GradientHook>&)> call) {
  if (!list) return;
  for (const auto& entry : static_cast<HookList&>(*list).entries) call(entry.hook);
}

void HookHandle::remove() {
  if (!link_) return;
  const Ref<RefCounted> kept = std::exchange(link_, {});
  auto& link = static_cast<Link&>(*kept);
  Ref<GradientHook> removed;
  const std::lock_guard lock(link.mutex);
  if (link.list) removed = link.list->take(id_);
}

HookHandle on_gradient(const Tensor& t, Ref<GradientHook> hook) {
  if (!t.tracked()) throw Error(Code::value, "on_gradient", "the tensor does not require grad");
  if (Node* node = node_of(t)) return add_hook(node->hooks, t.impl()->output, std::move(hook));
  return add_hook(t.impl()->hooks, 0, std::move(hook));
}

HookHandle on_gradient_ready(const Tensor& leaf, Ref<GradientHook> hook) {
  if (!leaf.requires_grad() || leaf.impl()->node) {
    throw Error(Code::value, "on_gradient_ready", "expected a leaf that requires grad");
  }
  return add_hook(leaf.impl()->hooks, kReady, std::move(hook));
}

void run_gradient_hooks(const Ref<RefCounted>& list, uint32_t output, Tensor& gradient) {
  run_hooks(list, output, [&](GradientHook& hook) {
    Tensor replaced = hook(gradient);
    if (!replaced.defined()) return;
    check_replacement(gradient, replaced);
    gradient = std::move(replaced);
  });
}

void run_ready_hooks(const Ref<RefCounted>& list, const Tensor& gradient) {
  run_hooks(list, kReady, [&](GradientHook& hook) { hook(gradient); });
}

}  // namespace gyre
