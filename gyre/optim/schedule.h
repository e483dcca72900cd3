#pragma once
#include <cstdint>
#include <span>

#include "gyre/base/record.h"

namespace gyre {

/// Learning rate schedule after warm-up; n of the N remaining steps have passed:
///   constant     lr
///   cosine       cosine annealing from lr to min_lr
///   linear       linear decay from lr to min_lr
///   step         lr gamma^floor(n / every)
///   exponential  lr gamma^(n / every)
///   wsd          warm-up, stable, decay (Hu et al. 2024): lr, then linear decay to min_lr in the
///                final fraction `decay` of all steps, or of those after warm-up if fewer
enum class Schedule : uint8_t { constant, cosine, linear, step, exponential, wsd };
inline constexpr const char* kScheduleNames[] = {"constant", "cosine",      "linear",
                                                 "step",     "exponential", "wsd"};
template <>
inline constexpr std::span<const char* const> kChoices<Schedule> = kScheduleNames;

/// Tags the options that only some schedules have: one bit a schedule, above those that commands
/// define.
constexpr uint32_t of_schedules(auto... schedules) {
  return ((uint32_t{256} << static_cast<int>(schedules)) | ...);
}
inline constexpr uint32_t kOfSchedules = (uint32_t{256} << std::size(kScheduleNames)) - 256;

struct ScheduleOptions {
  Schedule kind = Schedule::cosine;
  double lr = 1e-3, min_lr = 0;
  int64_t warmup = 0, steps = 0;
  double gamma = 0.1;
  int64_t every = 1000;
  double decay = 0.2;
};
GYRE_FIELDS(ScheduleOptions, GYRE_FIELD(kind, "schedule after warm-up"),
            GYRE_FIELD(lr, "peak learning rate", .least = 0),
            GYRE_FIELD(min_lr, "final learning rate; lower bound for step and exponential",
                       .least = 0),
            GYRE_FIELD(warmup, "linear warm-up steps", .alias = "warmup_steps", .least = 0),
            GYRE_FIELD(steps, "total steps, required by cosine, linear and wsd",
                       .alias = "total_steps", .least = 0),
            GYRE_FIELD(gamma, "decay factor of schedules step and exponential",
                       .tags = of_schedules(Schedule::step, Schedule::exponential), .above = 0,
                       .most = 1),
            GYRE_FIELD(every, "decay period in steps of schedules step and exponential",
                       .tags = of_schedules(Schedule::step, Schedule::exponential),
                       .alias = "step_size", .least = 1),
            GYRE_FIELD(decay, "final fraction of steps in which schedule wsd decays",
                       .tags = of_schedules(Schedule::wsd), .least = 0, .most = 1));

/// The learning rate at step 0, 1, ...: lr (step + 1) / (warmup + 1) during warm-up, then the
/// schedule over the remaining steps. After the last step, cosine, linear and wsd stay at min_lr;
/// the others continue. Error{value} for a negative number, min_lr above lr, no `steps` for a kind
/// that needs it, warm-up longer than `steps`, gamma outside (0, 1], every below 1 and decay
/// outside [0, 1].
double learning_rate(const ScheduleOptions& options, int64_t step);

}  // namespace gyre
