#include "bench/others.h"

#include <algorithm>
#include <ctime>
#include <sstream>

#include "bench/stopwatch.h"
#include "gyre/base/error.h"
#include "gyre/base/system/file.h"

namespace gyre::bench {
namespace {

constexpr double kTick = 0.01;  // seconds; USER_HZ of Linux

// CPU seconds of all processes since boot.
double busy_seconds() {
  try {
    std::istringstream line(read_file("/proc/stat"));
    std::string name;
    double ticks[8] = {};
    line >> name;
    for (double& t : ticks) line >> t;
    double idle = ticks[3] + ticks[4];
    double all = 0;
    for (double t : ticks) all += t;
    return (all - idle) * kTick;
  } catch (const Error&) {
    return 0;
  }
}

double own_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

void Others::begin() {
  begun_ = now();
  busy_begun_ = busy_seconds();
  own_begun_ = own_seconds();
}

void Others::end() {
  seconds_ += now() - begun_;
  busy_ += busy_seconds() - busy_begun_;
  own_ += own_seconds() - own_begun_;
}

double Others::cores() const {
  return busy_ > 0 && seconds_ > 0 ? std::max(0.0, (busy_ - own_) / seconds_) : 0;
}

double Others::own_cores() const { return seconds_ > 0 ? own_ / seconds_ : 0; }

}  // namespace gyre::bench
