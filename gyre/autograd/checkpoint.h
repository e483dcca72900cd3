#pragma once
#include <utility>

#include "gyre/base/function_ref.h"
#include "gyre/tensor/tensor.h"

namespace gyre {

/// The function that checkpoint() runs.
struct CheckpointBody : RefCounted {
  virtual Tensors operator()(Inputs in) const = 0;
};

/// Context of a thread, in force for a scope, that bodies of checkpoints may depend on. The
/// recomputation runs in the context of the first run; a backward pass in another context raises
/// Error{value}.
struct CheckpointSurroundings : RefCounted {
  /// Calls `call` while it is in force.
  virtual void within(FunctionRef<void()> call) const = 0;
};

struct SavedSource;
/// The body that recomputes the saved tensors of a checkpoint; null for another source.
const Ref<const CheckpointBody>& checkpointed_body(const SavedSource& source);

/// Adds a context, inside the existing ones, to the checkpoints of this thread in this scope.
class CheckpointSurroundingsScope {
 public:
  explicit CheckpointSurroundingsScope(Ref<const CheckpointSurroundings> surroundings);
  ~CheckpointSurroundingsScope();
  CheckpointSurroundingsScope(const CheckpointSurroundingsScope&) = delete;
  CheckpointSurroundingsScope& operator=(const CheckpointSurroundingsScope&) = delete;
};

/// A memory budget that checkpoints share. Their intermediates are kept as long as they fit, and
/// nothing is recomputed; beyond that, those of the checkpoint with the least compute time per byte
/// are dropped first. Belongs to one thread.
class CheckpointBudget : public RefCounted {
 public:
  /// Error{value} if bytes < 0.
  explicit CheckpointBudget(int64_t bytes);
  /// Bytes kept now, at most the budget (memory shared with inputs and leaves of a checkpoint does
  /// not count).
  [[nodiscard]] int64_t kept() const { return kept_; }
  /// How many times the intermediates of a checkpoint were dropped.
  [[nodiscard]] int64_t dropped() const { return dropped_; }

 private:
  friend class CheckpointRegion;
  void take(class CheckpointRegion& region);
  void forget(class CheckpointRegion& region) noexcept;
  int64_t bytes_, kept_ = 0, dropped_ = 0;
  SmallVector<class CheckpointRegion*, 16> regions_;
};

/// Gradient checkpointing (torch.utils.checkpoint): runs `body(in)` and keeps only `in` and leaves
/// that require grad; backward recomputes the other saved tensors. Gradients of any order, also of
/// captured tensors, are bitwise those of body(in). Checkpoints may be nested.
///
/// The body must be deterministic. The second run draws the same random numbers from the default
/// generator, and must find the same captured tensors (code that swaps them temporarily declares it
/// by CheckpointSurroundings). Error{value} from backward if the tensors saved by the second run
/// differ in number, shape or dtype, or if a captured tensor was modified in place. Without
/// gradient recording this is body(in).
///
/// With a budget, intermediates stay in memory while they fit; only the others are recomputed.
Tensors checkpoint(Ref<const CheckpointBody> body, Inputs in, Ref<CheckpointBudget> budget = {});

/// The same for a callable Tensors(Inputs).
template <class F>
Tensors checkpoint(F function, Inputs in, Ref<CheckpointBudget> budget = {}) {
  struct Body final : CheckpointBody {
    explicit Body(F f) : call(std::move(f)) {}
    Tensors operator()(Inputs in) const override { return call(in); }
    F call;
  };
  return checkpoint(Ref<const CheckpointBody>(new Body(std::move(function))), in,
                    std::move(budget));
}

}  // namespace gyre
