#pragma once
#include <cstdint>
#include <span>

#include "gyre/base/record.h"

namespace gyre {

/// How the learning rate goes on after warm-up: stays, or falls from `lr` to `min_lr` along half a
/// cosine or a straight line.
enum class Schedule : uint8_t { constant, cosine, linear };
inline constexpr const char* kScheduleNames[] = {"constant", "cosine", "linear"};
template <>
inline constexpr std::span<const char* const> kChoices<Schedule> = kScheduleNames;

struct ScheduleOptions {
  Schedule kind = Schedule::cosine;
  double lr = 1e-3, min_lr = 0;
  int64_t warmup = 0, steps = 1;
};
GYRE_FIELDS(ScheduleOptions, GYRE_FIELD(kind, "how the rate goes on after warm-up"),
            GYRE_FIELD(lr, "highest rate"), GYRE_FIELD(min_lr, "rate at the end"),
            GYRE_FIELD(warmup, "steps in which the rate rises"), GYRE_FIELD(steps, "steps in all"));

/// The learning rate of step 0, 1, ...: lr (step + 1) / (warmup + 1) below `warmup`, then the
/// schedule over the remaining steps; min_lr past the end. Error{value} for a negative number or a
/// warm-up longer than the training.
double learning_rate(const ScheduleOptions& options, int64_t step);

}  // namespace gyre
