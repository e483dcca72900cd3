#include "gyre/optim/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gyre/base/error.h"

namespace gyre {
namespace {

void check(const ScheduleOptions& o, int64_t step) {
  check_record("learning_rate", o);
  if (step < 0) {
    throw Error(Code::value, "learning_rate", fmt::format("step must be 0 or more, got {}", step),
                "0 or more", step);
  }
  if (o.min_lr > o.lr) {
    throw Error(Code::value, "learning_rate",
                fmt::format("`min_lr` must be at most `lr` ({}), got {}", o.lr, o.min_lr),
                fmt::format("at most {}", o.lr), o.min_lr);
  }
  const bool ends =
      o.kind == Schedule::cosine || o.kind == Schedule::linear || o.kind == Schedule::wsd;
  if (ends && o.steps == 0) {
    throw Error(
        Code::value, "learning_rate",
        {kScheduleNames[static_cast<size_t>(o.kind)], " needs `steps`, the total number of steps"},
        "1 or more", "0");
  }
  if (o.steps > 0 && o.warmup > o.steps) {
    throw Error(Code::value, "learning_rate",
                {"warmup of ", o.warmup, " is longer than the total of ", o.steps, " steps"},
                {"<= ", o.steps}, o.warmup);
  }
}

// The completed fraction of the interval from `begin` to the last step.
double way(double begin, const ScheduleOptions& o, int64_t step) {
  auto at = static_cast<double>(step), end = static_cast<double>(o.steps);
  return at >= end ? 1 : std::max(0.0, (at - begin) / (end - begin));
}

}  // namespace

double learning_rate(const ScheduleOptions& o, int64_t step) {
  check(o, step);
  if (step < o.warmup) {
    return o.lr * static_cast<double>(step + 1) / static_cast<double>(o.warmup + 1);
  }
  auto warmup = static_cast<double>(o.warmup), steps = static_cast<double>(o.steps);
  auto along = [&](double share) { return o.min_lr + (o.lr - o.min_lr) * share; };
  auto falling = [&](int64_t turns, double part) {
    return std::max(o.min_lr, o.lr * std::pow(o.gamma, static_cast<double>(turns) + part));
  };
  int64_t after = step - o.warmup;
  switch (o.kind) {
    case Schedule::cosine:
      return along(0.5 * (1 + std::cos(std::numbers::pi * way(warmup, o, step))));
    case Schedule::linear:
      return along(1 - way(warmup, o, step));
    case Schedule::step:
      return falling(after / o.every, 0);
    case Schedule::exponential:
      return falling(after / o.every,
                     static_cast<double>(after % o.every) / static_cast<double>(o.every));
    case Schedule::wsd:
      return along(1 - way(std::max(warmup, steps - o.decay * steps), o, step));
    default:
      return o.lr;
  }
}

}  // namespace gyre
