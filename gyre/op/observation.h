#pragma once
#include "gyre/op/call_observer.h"

namespace gyre {

/// A call that observers will see: begun when it is made. What the calls inside of it take is
/// gathered by thread.
class Observation {
 public:
  /// Whether there is an observer.
  static bool wanted() noexcept;

  Observation() noexcept;
  Observation(const Observation&) = delete;
  Observation& operator=(const Observation&) = delete;
  ~Observation();

  /// Shows the call, which has ended, to all observers; throws what they throw.
  void show(const OpDef& op, Inputs in, Inputs out, bool reverse = false);

 private:
  struct Taken {
    int64_t nanoseconds = 0;
    PoolTime pool;
  };
  static thread_local constinit Taken inside;
  Taken outer_;
  int64_t began_;
  PoolTime pool_;
};

}  // namespace gyre
