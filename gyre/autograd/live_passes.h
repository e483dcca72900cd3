#pragma once
#include <cstdint>
#include <mutex>

#include "gyre/base/function_ref.h"
#include "gyre/tensor/tensor.h"

namespace gyre {

/// The backward passes that run now, in all threads. A pass marks the nodes it is going to walk
/// while it holds the lock, and is among these from then on; so one that finds the mark of another
/// keeps off. A fork's child knows of none and has a lock of its own.
class LivePasses {
 public:
  /// Waits for the lock, which nobody holds for longer than such marking takes.
  LivePasses();
  LivePasses(const LivePasses&) = delete;
  LivePasses& operator=(const LivePasses&) = delete;

  [[nodiscard]] bool has(uint64_t pass) const noexcept;
  void add(uint64_t pass);
  /// Gives the lock back and waits until that pass is over.
  void leave_until_over(uint64_t pass);
  /// Takes the lock again.
  void enter() { lock_.lock(); }

 private:
  struct PassRegistry* shared_;
  std::unique_lock<std::mutex> lock_;
};

/// To be called for each that was added.
void pass_is_over(uint64_t pass) noexcept;

/// Calls `add` while no other thread does so for the same leaf.
void alone_with_leaf(const TensorImpl& leaf, FunctionRef<void()> add);

/// From now on all waits for other passes happen inside of `around(wait)`, which may give up a lock
/// that those passes need to end.
void set_around_waits(void (*around)(FunctionRef<void()> wait)) noexcept;

}  // namespace gyre
