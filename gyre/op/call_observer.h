#pragma once
#include <atomic>

#include "gyre/base/thread_pool.h"
#include "gyre/op/op_def.h"

namespace gyre {

/// A finished call. A composition is reported after the calls that it consists of.
struct ObservedCall {
  const OpDef& op;
  Inputs in, out;
  /// Backward rule of a recorded call: `in` are the cotangents of its results and the saved
  /// tensors, `out` the gradients of its operands; some of both may be empty.
  bool reverse;
  int64_t began;        ///< nanoseconds of std::chrono::steady_clock
  int64_t nanoseconds;  ///< total time
  int64_t own;          ///< self time: without the calls that it made
  PoolTime pool;        ///< in `own`, while a PoolClock exists; exact while one thread computes
  /// Whether the call itself computes: views do not, and compositions leave it to their parts.
  [[nodiscard]] bool computes() const {
    if (reverse) return op.vjp_first != nullptr;
    return op.kernels[Device::cpu] != nullptr && !op.view;
  }
  /// Nanoseconds in `own`, summed over all threads that worked on it.
  [[nodiscard]] int64_t busy() const { return own - pool.wall + pool.busy; }
};

/// Sees every successful call of this process (for traces and profiles), on the thread that made
/// it.
class CallObserver {
 public:
  CallObserver() = default;
  CallObserver(const CallObserver&) = delete;
  CallObserver& operator=(const CallObserver&) = delete;
  /// Exceptions propagate to the caller of the op.
  virtual void call(const ObservedCall& call) = 0;

 protected:
  ~CallObserver() = default;

 private:
  friend struct CallObservers;
  std::atomic<CallObserver*> next_{nullptr};
};
/// Adds an observer to the end of the list; it must not be in the list yet.
void add_call_observer(CallObserver& observer) noexcept;
/// Removes an observer; returns when no other thread is calling it any more.
void remove_call_observer(CallObserver& observer) noexcept;

}  // namespace gyre
