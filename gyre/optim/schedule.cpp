#include "gyre/optim/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "gyre/base/error.h"

namespace gyre {

double learning_rate(const ScheduleOptions& o, int64_t step) {
  if (!(o.lr >= 0) || !(o.min_lr >= 0) || o.warmup < 0 || o.steps < 0 || step < 0) {
    throw Error(Code::value, "learning_rate", "rates and numbers of steps must be 0 or more");
  }
  if (o.warmup > o.steps) {
    throw Error(Code::value, "learning_rate",
                "warmup is " + std::to_string(o.warmup) + ", longer than all " +
                    std::to_string(o.steps) + " steps",
                "<= " + std::to_string(o.steps), std::to_string(o.warmup));
  }
  if (step < o.warmup) {
    return o.lr * static_cast<double>(step + 1) / static_cast<double>(o.warmup + 1);
  }
  if (o.kind == Schedule::constant) return o.lr;
  if (step >= o.steps) return o.min_lr;
  double at = static_cast<double>(step - o.warmup) / static_cast<double>(o.steps - o.warmup);
  double share = o.kind == Schedule::linear ? 1 - at : 0.5 * (1 + std::cos(std::numbers::pi * at));
  return o.min_lr + (o.lr - o.min_lr) * share;
}

}  // namespace gyre
