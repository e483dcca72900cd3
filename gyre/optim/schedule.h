#pragma once
#include <cstdint>
#include <span>

#include "gyre/base/record.h"

namespace gyre {

/// How the learning rate goes on after warm-up, n steps later of N that are left:
///   constant     lr
///   cosine       from lr to min_lr along half a cosine
///   linear       from lr to min_lr along a straight line
///   step         lr gamma^floor(n / every)
///   exponential  lr gamma^(n / every)
///   wsd          warm-up, stable, decay (Hu et al. 2024): lr, then in the last `decay` of all
///                steps, or those after warm-up if they are fewer, to min_lr along a straight line
enum class Schedule : uint8_t { constant, cosine, linear, step, exponential, wsd };
inline constexpr const char* kScheduleNames[] = {"constant", "cosine",      "linear",
                                                 "step",     "exponential", "wsd"};
template <>
inline constexpr std::span<const char* const> kChoices<Schedule> = kScheduleNames;

struct ScheduleOptions {
  Schedule kind = Schedule::cosine;
  double lr = 1e-3, min_lr = 0;
  int64_t warmup = 0, steps = 0;
  double gamma = 0.1;
  int64_t every = 1000;
  double decay = 0.2;
};
GYRE_FIELDS(ScheduleOptions, GYRE_FIELD(kind, "how the rate goes on after warm-up"),
            GYRE_FIELD(lr, "highest rate"),
            GYRE_FIELD(min_lr, "rate at the end; step and exponential do not fall below it"),
            GYRE_FIELD(warmup, "steps in which the rate rises"),
            GYRE_FIELD(steps, "steps in all, which cosine, linear and wsd need"),
            GYRE_FIELD(gamma, "times the rate in `every` steps, by step and exponential"),
            GYRE_FIELD(every, "steps in which step and exponential multiply by gamma"),
            GYRE_FIELD(decay, "share of all steps, the last, in which wsd falls"));

/// The learning rate of step 0, 1, ...: lr (step + 1) / (warmup + 1) below `warmup`, then the
/// schedule over the remaining steps. Past the end, cosine, linear and wsd stay at min_lr; the
/// others go on. Error{value} for a negative number, a min_lr above lr, no `steps` where the kind
/// has an end, a warm-up longer than the training, a gamma outside (0, 1], every below 1 and a
/// decay outside [0, 1].
double learning_rate(const ScheduleOptions& options, int64_t step);

}  // namespace gyre
