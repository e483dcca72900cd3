#pragma once
#include <utility>

#include "gyre/base/function_ref.h"
#include "gyre/tensor/tensor.h"

namespace gyre {

/// A part of a computation; see checkpoint().
struct CheckpointBody : RefCounted {
  virtual Tensors operator()(Inputs in) const = 0;
};

/// Something that is in force for a while on a thread, and on which bodies of checkpoints may
/// depend: when one runs again it has around it what it had in its first run, and nothing more:
/// Error{value} from a backward pass that has something else around itself.
struct CheckpointSurroundings : RefCounted {
  /// Calls `call` while it is in force.
  virtual void within(FunctionRef<void()> call) const = 0;
};

/// The checkpoints of this thread in this scope have that around them, inside of what they have
/// already.
class CheckpointSurroundingsScope {
 public:
  explicit CheckpointSurroundingsScope(Ref<const CheckpointSurroundings> surroundings);
  ~CheckpointSurroundingsScope();
  CheckpointSurroundingsScope(const CheckpointSurroundingsScope&) = delete;
  CheckpointSurroundingsScope& operator=(const CheckpointSurroundingsScope&) = delete;
};

/// What checkpoints that share it may keep together. As long as their values fit they are kept, and
/// nothing runs twice; when they no longer do, those of the checkpoint that took the least time for
/// its bytes go first. Belongs to one thread.
class CheckpointBudget : public RefCounted {
 public:
  /// Error{value} for less than 0 bytes.
  explicit CheckpointBudget(int64_t bytes);
  /// Bytes that are kept now, at most those given (memory that a checkpoint shares with its inputs
  /// and leaves does not count).
  [[nodiscard]] int64_t kept() const { return kept_; }
  /// How often the values of a checkpoint had to go.
  [[nodiscard]] int64_t dropped() const { return dropped_; }

 private:
  friend class CheckpointRegion;
  void take(class CheckpointRegion& region);
  void forget(class CheckpointRegion& region) noexcept;
  int64_t bytes_, kept_ = 0, dropped_ = 0;
  SmallVector<class CheckpointRegion*, 16> regions_;
};

/// Runs `body(in)` so that of all that its ops keep for backward only `in` and leaves that require
/// gradients stay in memory. Backward runs the body a second time when it first needs one of the
/// others. Gradients are those of body(in) bit for bit, of captured tensors too, and to any order;
/// checkpoints may lie within others.
///
/// The body must do the same each time: its random numbers are repeated (the default generator is
/// put back and restored), and what it captures must not be another tensor then (who puts others in
/// their place for a while tells by CheckpointSurroundings). Error{value} from
/// backward when what the second run keeps differs in number, shape or dtype, and where a captured
/// tensor was changed in place. Where nothing is recorded this is body(in).
///
/// With a budget, values stay in memory as far as it goes, and only the others are made again.
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
