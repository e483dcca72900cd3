#pragma once
#include <atomic>

#include "gyre/base/thread_pool.h"
#include "gyre/op/op_def.h"

namespace gyre {

/// A call that is done. A composition comes after the calls that it is made of.
struct ObservedCall {
  const OpDef& op;
  Inputs in, out;
  /// The reverse rule of a call that was recorded: `in` are the cotangents of its results and what
  /// was kept for the rule, `out` the gradients of its operands; some of both may be empty.
  bool reverse;
  int64_t began;        ///< nanoseconds of std::chrono::steady_clock
  int64_t nanoseconds;  ///< of all of it
  int64_t own;          ///< of these, outside of calls that it made
  PoolTime pool;        ///< in `own`, if there is a PoolClock; exact while one thread computes
  /// Whether the call itself computes numbers: views do not, and what is made of other calls leaves
  /// it to these.
  [[nodiscard]] bool computes() const {
    if (reverse) return op.vjp_first != nullptr;
    return op.kernels[Device::cpu] != nullptr && !op.view;
  }
  /// Nanoseconds in `own` of all threads that worked on it.
  [[nodiscard]] int64_t busy() const { return own - pool.wall + pool.busy; }
};

/// Sees every call of this process (trace, profile) in which nothing was thrown, on the thread that
/// made it.
class CallObserver {
 public:
  CallObserver() = default;
  CallObserver(const CallObserver&) = delete;
  CallObserver& operator=(const CallObserver&) = delete;
  /// What it throws comes out of the call.
  virtual void call(const ObservedCall& call) = 0;

 protected:
  ~CallObserver() = default;

 private:
  friend struct CallObservers;
  std::atomic<CallObserver*> next_{nullptr};
};
/// Adds an observer behind those there are, which must not be there yet.
void add_call_observer(CallObserver& observer) noexcept;
/// Takes one back that was added, when no other thread shows a call to it any more.
void remove_call_observer(CallObserver& observer) noexcept;

}  // namespace gyre
