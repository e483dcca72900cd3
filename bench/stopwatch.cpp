#include "bench/stopwatch.h"

#include <algorithm>
#include <chrono>

namespace gyre::bench {

constexpr double kLeastSeconds = 0.02;

double now() {
  auto since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(since).count();
}

Stopwatch::Stopwatch(const Work& work, const Settings& settings)
    : ready_(work.prepare(work, settings)), operations_(work.operations) {
  if (work.warm == 0) return;
  for (int i = 0; i < work.warm; ++i) ready_.call();
  double start = now();
  ready_.call();
  double once = std::max(now() - start, 1e-9);
  loops_ = std::max<int64_t>(1, static_cast<int64_t>(kLeastSeconds / once));
}

double Stopwatch::sample() {
  auto seconds = [&](const std::function<void()>& call) {
    double start = now();
    for (int64_t i = 0; i < loops_; ++i) call();
    return (now() - start) / static_cast<double>(loops_ * operations_);
  };
  if (ready_.least) least_.push_back(seconds(ready_.least));
  return seconds(ready_.call);
}

Spread spread_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {values[values.size() / 2], values.front(), values.back()};
}

}  // namespace gyre::bench
