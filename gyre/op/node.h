#pragma once
#include "gyre/op/op_def.h"

namespace gyre {

struct Node;

/// Where an input's cotangent goes: output `output` of `node`, or the gradient of `leaf`, or
/// nowhere.
struct Edge {
  Ref<Node> node;
  Ref<TensorImpl> leaf;
  uint32_t output = 0;
  explicit operator bool() const { return node || leaf; }
};

/// The edge that leads to a tensor's history.
Edge edge_to(const Tensor& t);

/// Error{value} naming `op` when the values of t were changed in place through another tensor after
/// its history was recorded.
void check_history(const Tensor& t, const char* op);

/// Gives values back that were not kept (autograd/checkpoint.h).
struct SavedSource : RefCounted {
  /// Value `number`, without history.
  virtual Tensor restore(uint32_t number) = 0;
  /// The pass that asked for values is over, perhaps before it had all.
  virtual void pass_over() noexcept {}
};

/// A value kept for backward. Own outputs are kept without their node, which would be a cycle.
struct SavedTensor {
  Tensor data;  ///< empty: nothing is kept, or `source` has it
  Ref<SavedSource> source;
  uint32_t number = 0;   ///< what `source` knows it by
  uint32_t version = 0;  ///< of the storage when it was kept
  int own_output = -1;
  /// The value. Error{value} naming `op` when it was overwritten since.
  Tensor value(const char* op) const;
  /// The value with its history; this lies in owner->saved.
  Tensor unpack(const Ref<Node>& owner) const;
};

/// Sees every value that nodes of this thread keep, and may move it to a SavedSource.
struct SavingObserver {
  virtual void saving(SavedTensor& saved) = 0;

 protected:
  ~SavingObserver() = default;
};
/// The observer of this thread; nullptr for none, as at start.
SavingObserver* saving_observer() noexcept;
void set_saving_observer(SavingObserver* observer) noexcept;

/// Keeps `t`, which is output `own_output` of the keeping node or (-1) one of its inputs.
SavedTensor save(const Tensor& t, int own_output = -1);

/// What a backward pass notes about a node; means nothing outside the pass with that number.
struct BackwardMark {
  uint64_t pass = 0;
  uint32_t pending = 0;  ///< consumers whose cotangents have not arrived
  int32_t frame = -1;    ///< where cotangents of its outputs gather
  bool visited = false, queued = false;
  bool wanted = false;    ///< an asked-for gradient lies below it
  bool captured = false;  ///< a gradient of its outputs was asked for
};

/// One recorded call. Owns the way to its inputs; long chains are freed without recursion. A
/// backward pass writes to the nodes it walks: one pass at a time over a graph.
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
  bool freed = false;  ///< backward has passed and taken `inputs` and `saved`
  ~Node() override;
};

/// The node a tensor came from or nullptr.
inline Node* node_of(const Tensor& t) { return static_cast<Node*>(t.impl()->node.get()); }

/// Keeps what `op` needs of this call and makes its outputs remember it.
void record(const OpDef& op, Inputs in, const Attrs& attrs, Tensors& out);

/// True when a call of `op` on these would be recorded.
bool would_record(const OpDef& op, Inputs in) noexcept;

/// Whether ops on tracked tensors are recorded, for this thread.
bool grad_enabled() noexcept;
void set_grad_enabled(bool enabled) noexcept;

/// No op in this scope is recorded.
class NoGrad {
 public:
  [[nodiscard]] NoGrad() : before_(grad_enabled()) { set_grad_enabled(false); }
  ~NoGrad() { set_grad_enabled(before_); }
  NoGrad(const NoGrad&) = delete;
  NoGrad& operator=(const NoGrad&) = delete;

 private:
  bool before_;
};

/// Ops in this scope are recorded (inside a NoGrad).
class EnableGrad {
 public:
  [[nodiscard]] explicit EnableGrad(bool enabled = true) : before_(grad_enabled()) {
    set_grad_enabled(enabled);
  }
  ~EnableGrad() { set_grad_enabled(before_); }
  EnableGrad(const EnableGrad&) = delete;
  EnableGrad& operator=(const EnableGrad&) = delete;

 private:
  bool before_;
};

}  // namespace gyre
