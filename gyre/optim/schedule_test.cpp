#include "gyre/optim/schedule.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/thrown.h"

namespace gyre {
namespace {

TEST(Schedule, RisesThenFalls) {
  ScheduleOptions o{Schedule::cosine, 1.0, 0.1, 4, 20};
  EXPECT_DOUBLE_EQ(learning_rate(o, 0), 0.2);
  EXPECT_DOUBLE_EQ(learning_rate(o, 3), 0.8);
  EXPECT_DOUBLE_EQ(learning_rate(o, 4), 1.0);
  EXPECT_DOUBLE_EQ(learning_rate(o, 12), 0.55);
  EXPECT_DOUBLE_EQ(learning_rate(o, 20), 0.1);
  EXPECT_DOUBLE_EQ(learning_rate(o, 99), 0.1);
  o.kind = Schedule::linear;
  EXPECT_DOUBLE_EQ(learning_rate(o, 8), 0.1 + 0.9 * 0.75);
  o.kind = Schedule::constant;
  EXPECT_DOUBLE_EQ(learning_rate(o, 1), 0.4);
  EXPECT_DOUBLE_EQ(learning_rate(o, 19), 1.0);
  o.warmup = 0;
  EXPECT_DOUBLE_EQ(learning_rate(o, 0), 1.0);
}

void expect_rates(const ScheduleOptions& o, int64_t first, std::initializer_list<double> wanted) {
  for (double rate : wanted) {
    EXPECT_NEAR(learning_rate(o, first), rate, 1e-15) << kScheduleNames[size_t(o.kind)] << first;
    ++first;
  }
}

// Rates of torch.optim.lr_scheduler in PyTorch 2.13, lr = 1.
TEST(Schedule, MatchesPyTorch) {
  expect_rates({.kind = Schedule::step, .lr = 1, .steps = 8, .gamma = 0.5, .every = 3}, 0,
               {1, 1, 1, 0.5, 0.5, 0.5, 0.25, 0.25});  // StepLR(o, 3, 0.5)
  expect_rates({.kind = Schedule::exponential, .lr = 1, .steps = 8, .gamma = 0.8, .every = 1}, 0,
               {1.0, 0.8, 0.64, 0.512, 0.4096, 0.32768, 0.262144});  // ExponentialLR(o, 0.8)
  expect_rates(
      {.kind = Schedule::cosine, .lr = 1, .min_lr = 0.1, .steps = 8}, 0,
      {1.0, 0.9657457896300791, 0.8681980515339464, 0.7222075445642905, 0.55, 0.3777924554357097,
       0.2318019484660537, 0.134254210369921, 0.1});  // CosineAnnealingLR(o, 8, 0.1)
  expect_rates(
      {.kind = Schedule::linear, .lr = 1, .min_lr = 0.1, .steps = 8}, 0,
      {1.0, 0.8875, 0.775, 0.6625, 0.55, 0.4375, 0.325, 0.2125, 0.1});  // LinearLR(o, 1.0, 0.1, 8)
}

TEST(Schedule, StepAndExponentialStartAfterWarmupAndStopAtMinLr) {
  ScheduleOptions o{Schedule::step, 1, 0.3, 2, 10, 0.5, 2};
  expect_rates(o, 0, {1.0 / 3, 2.0 / 3, 1, 1, 0.5, 0.5, 0.3, 0.3});
  EXPECT_DOUBLE_EQ(learning_rate(o, 1000000), 0.3);
  o.kind = Schedule::exponential;
  expect_rates(o, 0, {1.0 / 3, 2.0 / 3, 1, std::sqrt(0.5), 0.5, 0.5 * std::sqrt(0.5), 0.3});
}

TEST(Schedule, WsdIsStableThenDecaysLinearly) {
  ScheduleOptions o{.kind = Schedule::wsd, .lr = 1, .min_lr = 0.2, .warmup = 1, .steps = 10};
  o.decay = 0.4;
  expect_rates(o, 0, {0.5, 1, 1, 1, 1, 1, 1, 0.8, 0.6, 0.4, 0.2, 0.2});
  o.decay = 0;
  expect_rates(o, 8, {1, 1, 0.2});
  o.decay = 1;
  o.warmup = 6;
  expect_rates(o, 6, {1, 0.8, 0.6, 0.4, 0.2});
  o.warmup = 10;
  expect_rates(o, 9, {10.0 / 11, 0.2});
}

TEST(Schedule, RejectsInvalidOptions) {
  auto code = [](const ScheduleOptions& o, int64_t step = 0) {
    return code_of([&] { return learning_rate(o, step); });
  };
  EXPECT_EQ(code({Schedule::cosine, -1}), Code::value);
  EXPECT_EQ(code({.min_lr = -1}), Code::value);
  EXPECT_EQ(code({.lr = 1, .min_lr = 2}), Code::value);
  EXPECT_EQ(code({Schedule::cosine, 1, 0, 30, 20}), Code::value);
  EXPECT_EQ(code({Schedule::cosine, 1, 0, 3, 20}, -1), Code::value);
  EXPECT_EQ(code({.warmup = -1}), Code::value);
  EXPECT_EQ(code({.steps = -1}), Code::value);
  for (Schedule kind : {Schedule::step, Schedule::exponential}) {
    for (double gamma : {0.0, -1.0, 1.5, std::nan("")}) {
      EXPECT_EQ(code({.kind = kind, .gamma = gamma}), Code::value);
    }
    EXPECT_EQ(code({.kind = kind, .every = 0}), Code::value);
  }
  EXPECT_EQ(code({.kind = Schedule::wsd, .steps = 5, .decay = 1.5}), Code::value);
  EXPECT_EQ(code({.kind = Schedule::wsd, .steps = 5, .decay = -0.5}), Code::value);
}

TEST(Schedule, RequiresStepsForKindsWithAnEnd) {
  for (Schedule kind : {Schedule::cosine, Schedule::linear, Schedule::wsd}) {
    EXPECT_EQ(message_of(Code::value, [&] { learning_rate({.kind = kind}, 0); }),
              std::string("learning_rate: ") + kScheduleNames[static_cast<size_t>(kind)] +
                  " needs `steps`, the total number of steps");
  }
  for (Schedule kind : {Schedule::constant, Schedule::step, Schedule::exponential}) {
    EXPECT_EQ(learning_rate({.kind = kind, .lr = 0.5, .warmup = 3}, 3), 0.5);
  }
}

}  // namespace
}  // namespace gyre
