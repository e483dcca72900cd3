#include "gyre/autograd/owned_callables.h"

#include <unordered_map>
#include <vector>

#include "gyre/autograd/checkpoint.h"
#include "gyre/autograd/custom_function.h"
#include "gyre/autograd/hooks.h"
#include "gyre/op/node.h"

namespace gyre {
namespace {

// A walk from a tensor over all to which it holds all references.
class Walk {
 public:
  explicit Walk(FunctionRef<void(const RefCounted&)> visit) : visit_(visit) {}

  void from(const Ref<TensorImpl>& t, uint32_t handles) {
    met_[t.get()] = handles - 1;
    add(tensors_, t);
    while (!tensors_.empty() || !nodes_.empty()) {
      if (!tensors_.empty()) {
        const TensorImpl& next = *tensors_.back();
        tensors_.pop_back();
        members(next);
      } else {
        const Node& next = *nodes_.back();
        nodes_.pop_back();
        members(next);
      }
    }
  }

 private:
  FunctionRef<void(const RefCounted&)> visit_;
  std::vector<const TensorImpl*> tensors_;
  std::vector<const Node*> nodes_;
  std::unordered_map<const RefCounted*, uint32_t> met_;  // references to shared objects

  // Whether this is the last of the references to an object.
  template <class T>
  bool is_last(const Ref<T>& ref) {
    return ref && (ref.unique() || ++met_[ref.get()] == ref->refs.load(std::memory_order_acquire));
  }
  template <class T, class U>
  void add(std::vector<const T*>& list, const Ref<U>& ref) {
    if (is_last(ref)) list.push_back(static_cast<const T*>(ref.get()));
  }
  template <class T>
  void found(const Ref<T>& callable) {
    if (is_last(callable)) visit_(*callable);
  }

  void members(const TensorImpl& t) {
    add(tensors_, t.grad);
    add(tensors_, t.base);
    add(nodes_, t.node);
    for_each_hook(t.hooks, [&](const Ref<GradientHook>& hook) { found(hook); });
  }
  void members(const Node& n) {
    for (const Edge& edge : n.inputs) {
      add(tensors_, edge.leaf);
      add(nodes_, edge.node);
    }
    for (const SavedTensor& saved : n.saved) {
      add(tensors_, saved.data.ref());
      if (is_last(saved.source)) found(checkpointed_body(*saved.source));
    }
    for_each_hook(n.hooks, [&](const Ref<GradientHook>& hook) { found(hook); });
    if (is_last(n.attrs)) found(custom_function_in(*n.attrs));
  }
};

}  // namespace

void for_each_owned_callable(const Tensor& t, FunctionRef<void(const RefCounted&)> visit,
                             uint32_t handles) {
  Walk(visit).from(t.ref(), handles);
}

}  // namespace gyre
