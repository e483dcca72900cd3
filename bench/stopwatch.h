#pragma once
#include <vector>

#include "bench/work.h"

namespace gyre::bench {

/// Monotonic wall time in seconds.
double now();

struct Spread {
  double median = 0, min = 0, max = 0;
};
/// Expects at least one number.
Spread spread_of(std::vector<double> values);

/// Times a benchmark: short calls are repeated for at least 20 ms.
class Stopwatch {
 public:
  /// Prepares the benchmark and warms it up.
  Stopwatch(const Work& work, const Settings& settings);
  /// Seconds of one operation, over one set of calls.
  double sample();
  /// One untimed call to warm the caches after a peer ran.
  void touch() {
    if (loops_ > 1) ready_.call();
  }
  [[nodiscard]] const Ready& ready() const { return ready_; }
  /// The median time of Ready::least, called as often as samples were taken; 0 without one.
  [[nodiscard]] double limit() const { return least_.empty() ? 0 : spread_of(least_).median; }

 private:
  Ready ready_;
  int operations_;
  int64_t loops_ = 1;
  std::vector<double> least_;
};

}  // namespace gyre::bench
