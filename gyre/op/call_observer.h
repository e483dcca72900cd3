#pragma once
#include <atomic>

#include "gyre/base/philox.h"
#include "gyre/base/thread_pool.h"
#include "gyre/op/op_def.h"

namespace gyre {

/// A call of an op. A composition, an op that only calls other ops, begins before and ends after
/// them.
struct ObservedCall {
  enum Kind : uint8_t {
    applied,  ///< apply(): `out` are new tensors
    written,  ///< write(): `out` existed before
    /// Backward rule of a recorded call: `in` are the cotangents of its results and, at the end,
    /// the saved tensors, `out` the gradients of its operands; some of both may be empty.
    reverse,
  };
  const OpDef& op;
  const Attrs& attrs;  ///< empty: the op has none
  Inputs in, out;
  Kind kind;
  int depth;  ///< nesting depth: 0 for a call that no other call made
  /// In begin(), the members below `began` are 0.
  int64_t began;            ///< nanoseconds of std::chrono::steady_clock
  int64_t nanoseconds = 0;  ///< total time
  int64_t own = 0;          ///< self time: without the calls that it made
  PoolTime pool{};          ///< in `own`, while a PoolClock exists; exact while one thread computes
  /// Whether the call itself computes: views do not, and compositions leave it to their parts.
  [[nodiscard]] bool computes() const {
    if (kind == reverse) return op.vjp_first != nullptr;
    return op.kernels[Device::cpu] != nullptr && !op.view;
  }
  /// Nanoseconds in `own`, summed over all threads that worked on it.
  [[nodiscard]] int64_t busy() const { return own - pool.wall + pool.busy; }
};

/// Random numbers that a call took: blocks of four words from `generator`, whose offset is the one
/// after them. `attrs` are those of the call.
struct ObservedDraw {
  const OpDef& op;
  const Attrs& attrs;
  Generator& generator;
  uint64_t blocks;
};

/// Sees calls, on the thread that made them. Exceptions propagate to the caller of the op, which
/// has not run when begin() throws and has run when call() throws.
class CallObserver {
 public:
  CallObserver() = default;
  CallObserver(const CallObserver&) = delete;
  CallObserver& operator=(const CallObserver&) = delete;
  /// A call begins: results are missing, and times are not measured yet. A call that fails has no
  /// other event.
  virtual void begin(const ObservedCall&) {}
  /// A call succeeded. It began before the observer was added if begin() was not called.
  virtual void call(const ObservedCall& call) = 0;
  /// After the call of a random op.
  virtual void draw(const ObservedDraw&) {}

 protected:
  ~CallObserver() = default;

 private:
  friend struct CallObservers;
  std::atomic<CallObserver*> next_{nullptr};
};

/// Adds an observer of all calls of this process to the end of the list, for traces and profiles;
/// it must not be in the list yet.
void add_call_observer(CallObserver& observer) noexcept;
/// Removes an observer, also from one of its calls; returns when no other thread is calling it any
/// more.
void remove_call_observer(CallObserver& observer) noexcept;

/// Lets an observer see the calls of this thread until it is destroyed, on this thread. The newest
/// observer sees a call last.
class ThreadObserver {
 public:
  [[nodiscard]] explicit ThreadObserver(CallObserver& observer) noexcept;
  ThreadObserver(const ThreadObserver&) = delete;
  ThreadObserver& operator=(const ThreadObserver&) = delete;
  ~ThreadObserver();

 private:
  friend struct CallObservers;
  CallObserver& observer_;
  ThreadObserver* outer_;
};

}  // namespace gyre
