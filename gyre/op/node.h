#pragma once
#include "gyre/op/op_def.h"

namespace gyre {

struct Node;

/// Destination of an input's cotangent: output `output` of `node`, or the gradient of `leaf`, or
/// none.
struct Edge {
  Ref<Node> node;
  Ref<TensorImpl> leaf;
  uint32_t output = 0;
  explicit operator bool() const { return node || leaf; }
};

/// The count of writes to the memory of t while gradients were recorded.
inline uint32_t recorded_writes(const Tensor& t) {
  return t.impl()->storage->recorded_writes.load(std::memory_order_relaxed);
}

/// Gives a view whose memory was written through its base or another view, while gradients were
/// recorded, its history anew: a part of the base's.
void renew_history(const Tensor& t);

/// The edge to a tensor's history.
Edge edge_to(const Tensor& t);

/// Error{value} naming `op` when the values of t were modified in place through another tensor
/// after its history was recorded.
void check_history(const Tensor& t, const char* op);

/// Restores saved values that were not kept (autograd/checkpoint.h).
struct SavedSource : RefCounted {
  /// Value `number`, without history.
  virtual Tensor restore(uint32_t number) = 0;
  /// The pass that requested values has ended, perhaps before it requested all.
  virtual void pass_over() noexcept {}
};

/// A tensor saved for backward. Own outputs are saved without their node, which would be a cycle.
struct SavedTensor {
  Tensor data;  ///< empty: nothing was saved, or `source` restores it
  Ref<SavedSource> source;
  uint32_t number = 0;   ///< its number in `source`
  uint32_t version = 0;  ///< of the storage when it was saved
  int own_output = -1;
  /// The value. Error{value} naming `op` when it was modified in place since.
  Tensor value(const char* op) const;
  /// The value with its history; this is an element of owner->saved.
  Tensor unpack(const Ref<Node>& owner) const;
};

/// Sees every tensor that nodes of this thread save, and may move it to a SavedSource.
struct SavingObserver {
  virtual void saving(SavedTensor& saved) = 0;

 protected:
  ~SavingObserver() = default;
};
/// The observer of this thread, to be set; nullptr for none (the default).
SavingObserver*& saving_observer() noexcept;

/// Saves `t`, which is output `own_output` of the node itself or (-1) one of its inputs.
SavedTensor save(const Tensor& t, int own_output = -1);

/// State of a backward pass for a node; meaningless outside the pass with that number.
struct BackwardMark {
  uint64_t pass = 0;
  uint32_t pending = 0;  ///< consumers whose cotangents have not arrived
  int32_t frame = -1;    ///< where cotangents of its outputs accumulate
  bool visited = false, queued = false;
  bool wanted = false;    ///< a requested gradient depends on it
  bool captured = false;  ///< a gradient of its outputs was requested
};

/// One recorded call. Owns the edges to its inputs; long chains are freed without recursion. A
/// backward pass writes to the nodes it visits: one pass at a time over a graph.
struct Node : RefCounted {
  const OpDef* op = nullptr;
  Attrs attrs;
  uint64_t sequence = 0;  ///< order of recording in the process
  SmallVector<Edge, 3> inputs;
  SmallVector<Meta, 3> in_meta;
  SmallVector<SavedTensor, 4> saved;  ///< inputs (position = input) then own outputs
  SmallVector<Meta, 1> outputs;
  Ref<RefCounted> hooks;  ///< functions that see cotangents of the outputs (autograd/hooks.h)
  BackwardMark mark;
  bool freed = false;  ///< backward has run and freed `inputs` and `saved`
  ~Node() override;
};

/// The node that produced a tensor, or nullptr.
inline Node* node_of(const Tensor& t) {
  if (t.impl()->base) renew_history(t);
  return static_cast<Node*>(t.impl()->node.get());
}

/// Whether a recorded call of `op` on these saves the values of operand i.
bool saves_operand(const OpDef& op, Inputs in, size_t i);

/// Saves what backward of `op` needs of this call and links its outputs to the node.
void record(const OpDef& op, Inputs in, const Attrs& attrs, Tensors& out);

/// True when a call of `op` on these would be recorded.
bool would_record(const OpDef& op, Inputs in) noexcept;

/// Whether ops on tensors that require grad are recorded on this thread.
bool grad_enabled() noexcept;
void set_grad_enabled(bool enabled) noexcept;

/// Enables or disables recording in this scope.
class GradMode {
 public:
  [[nodiscard]] explicit GradMode(bool enabled) : before_(grad_enabled()) {
    set_grad_enabled(enabled);
  }
  ~GradMode() { set_grad_enabled(before_); }
  GradMode(const GradMode&) = delete;
  GradMode& operator=(const GradMode&) = delete;

 private:
  bool before_;
};
/// Disables recording in this scope, like torch.no_grad().
struct NoGrad : GradMode {
  [[nodiscard]] NoGrad() : GradMode(false) {}
};

}  // namespace gyre
