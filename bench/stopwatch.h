#pragma once
#include <vector>

#include "bench/work.h"

namespace gyre::bench {

/// Wall time in seconds from some fixed point.
double now();

/// Takes times of a work: short calls are repeated until 20 ms have passed.
class Stopwatch {
 public:
  /// Prepares the work and warms it up.
  Stopwatch(const Work& work, const Settings& settings);
  /// Seconds of one operation, over one set of calls.
  double sample();
  /// One call that is not timed, after others had the machine.
  void touch() {
    if (loops_ > 1) ready_.call();
  }
  [[nodiscard]] const Ready& ready() const { return ready_; }

 private:
  Ready ready_;
  int operations_;
  int64_t loops_ = 1;
};

struct Spread {
  double median = 0, min = 0, max = 0;
};
/// Of at least one number.
Spread spread_of(std::vector<double> values);

}  // namespace gyre::bench
