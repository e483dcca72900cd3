#pragma once
#include "gyre/op/call_observer.h"

namespace gyre {

/// A call that observers will see; starts when constructed. The time of nested calls is accumulated
/// per thread.
class Observation {
 public:
  /// Whether any observer exists.
  static bool wanted() noexcept;

  Observation() noexcept;
  Observation(const Observation&) = delete;
  Observation& operator=(const Observation&) = delete;
  ~Observation();

  /// Reports the finished call to all observers; propagates their exceptions.
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
