#pragma once
#include "gyre/op/call_observer.h"

namespace gyre {

/// A call that observers will see: begin() is reported when it is constructed. The time of nested
/// calls is accumulated per thread.
class Observation {
 public:
  /// Whether any observer sees calls of this thread.
  static bool wanted() noexcept {
    return observers.load(std::memory_order_relaxed) != 0 && wanted_here();
  }

  /// Results that exist before the call, for writes, are its `out`.
  Observation(const OpDef& op, const Attrs& attrs, Inputs in, Inputs out, ObservedCall::Kind kind);
  Observation(const Observation&) = delete;
  Observation& operator=(const Observation&) = delete;
  ~Observation();

  /// Reports the finished call to all observers; propagates their exceptions.
  void show(Inputs in, Inputs out);

  /// Reports random numbers that were drawn.
  static void show(const ObservedDraw& draw);

 private:
  friend struct CallObservers;
  static constinit std::atomic<int> observers;  // of the process and of all threads
  static bool wanted_here() noexcept;

  // Of the calls inside the one that runs on this thread.
  struct Taken {
    int64_t nanoseconds = 0;
    PoolTime pool;
    int depth = 0;
  };
  static thread_local constinit Taken inside;
  const OpDef& op_;
  const Attrs& attrs_;
  ObservedCall::Kind kind_;
  Taken outer_;
  int64_t began_;
  PoolTime pool_;
};

}  // namespace gyre
