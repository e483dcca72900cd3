#include "gyre/train/loop.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <string>
#include <thread>
#include <vector>

namespace gyre {
namespace {

// Writes down what the loop asks for: number of a step, l(og), v(alidation), b(est), n(ot best),
// a(sample), s(ave).
struct Script final : LoopTask {
  explicit Script(LoopState& state) : state(state) {}
  bool run_step() override {
    const int64_t step = state.step + 1;
    if (step % period == 0) std::this_thread::sleep_for(std::chrono::duration<double>(pause));
    return step != breaks_at;
  }
  int64_t cycle() const override { return period; }
  void stepped(const LoopProgress& p, bool) override {
    done += std::to_string(state.step);
    EXPECT_GE(p.elapsed, p.in_steps);
    if (p.new_steps >= period) {
      EXPECT_GE(p.remaining, 0);
    } else {
      EXPECT_TRUE(std::isnan(p.remaining));
    }
    steps = p.new_steps;
    remaining.push_back(p.remaining);
  }
  bool stop_wanted() override { return state.step == stops_at; }
  void log() override { done += "l"; }
  std::optional<Validation> validate() override {
    done += "v";
    std::this_thread::sleep_for(std::chrono::duration<double>(validation_pause));
    if (losses.empty()) return {};
    Validation v;
    v.figures.loss = losses.front();
    v.measured = measured;
    losses.erase(losses.begin());
    return v;
  }
  bool validated(const Validation& v) override {
    EXPECT_EQ(v.step, state.step);
    done += v.best ? "b" : "n";
    return v.best && saves_best;
  }
  void sample() override { done += "a"; }
  bool satisfied() const override { return state.best_loss <= enough; }
  void save() override { done += "s"; }

  LoopState& state;
  std::vector<double> losses;
  int64_t breaks_at = 0, stops_at = 0, steps = 0;
  bool measured = true, saves_best = true;
  int64_t period = 1;
  double pause = 0, validation_pause = 0;  // seconds, at the end of a period
  std::vector<double> remaining;
  double enough = -1;
  std::string done;
};

LoopOptions options(int64_t steps) {
  return {.steps = steps, .evaluation = {.every = 0}, .checkpoints = {.every = 0}};
}

TEST(Loop, DoesWhatIsDueInOrder) {
  LoopOptions o = options(6);
  o.log_every = 4;
  o.sample_every = 3;
  o.evaluation.every = 2;
  o.checkpoints.every = 5;
  LoopState state;
  Script script(state);
  script.losses = {3, 4, 2};
  const LoopProgress end = run_loop(o, state, script);
  EXPECT_FALSE(end.interrupted || end.stopped_early);
  EXPECT_EQ(script.done, "12vbs3a4lvn5s6lvbas");
  EXPECT_EQ(state.best_step, 6);
  EXPECT_EQ(state.worse, 0);
}

TEST(Loop, StopsWhereToldWithoutAValidation) {
  LoopOptions o = options(6);
  o.checkpoints.stop_at = 2;
  LoopState state;
  Script script(state);
  EXPECT_FALSE(run_loop(o, state, script).interrupted);
  EXPECT_EQ(script.done, "12ls");
  o.checkpoints.stop_at = 0;
  script.losses = {1};
  script.done.clear();
  run_loop(o, state, script);
  EXPECT_EQ(script.done, "3456lvbs");
  EXPECT_EQ(script.steps, 4) << "since the resume";
}

TEST(Loop, AStopLeavesTheValidationDue) {
  LoopOptions o = options(3);
  o.evaluation.every = 2;
  LoopState state;
  Script script(state);
  script.stops_at = 2;
  EXPECT_TRUE(run_loop(o, state, script).interrupted);
  EXPECT_EQ(script.done, "12ls");
  EXPECT_TRUE(state.validation_due);
  script.done.clear();
  EXPECT_TRUE(run_loop(o, state, script).interrupted) << "in the validation";
  EXPECT_EQ(script.done, "v");
  EXPECT_TRUE(state.validation_due);
  script.done.clear();
  script.losses = {1, 2};
  EXPECT_FALSE(run_loop(o, state, script).interrupted);
  EXPECT_EQ(script.done, "vbs3lvns");
  EXPECT_FALSE(state.validation_due);
}

TEST(Loop, AStepThatIsStoppedIsNotDone) {
  LoopState state;
  Script script(state);
  script.breaks_at = 3;
  EXPECT_TRUE(run_loop(options(6), state, script).interrupted);
  EXPECT_EQ(script.done, "12");
  EXPECT_EQ(state.step, 2);
}

TEST(Loop, EndsEarly) {
  LoopOptions o = options(9);
  o.evaluation = {.every = 1, .patience = 2};
  LoopState state;
  Script script(state);
  script.saves_best = false;
  script.losses = {3, 4, 2, 2, 5};
  EXPECT_TRUE(run_loop(o, state, script).stopped_early);
  EXPECT_EQ(script.done, "1vb2vn3vb4vn5vns");
  EXPECT_EQ(state.best_step, 3);
  EXPECT_TRUE(run_loop(o, state, script).stopped_early) << "the run had ended";
  EXPECT_EQ(state.step, 5);

  LoopState other;
  Script enough(other);
  enough.losses = {3, 1};
  enough.enough = 1;
  EXPECT_TRUE(run_loop(o, other, enough).stopped_early);
  EXPECT_EQ(enough.done, "1vbs2vbs");

  LoopState unseen;
  Script blind(unseen);
  blind.measured = false;
  blind.losses.resize(9);
  EXPECT_FALSE(run_loop(o, unseen, blind).stopped_early) << "no validation measured";
}

TEST(Loop, TheTimeLeftCountsWholeCyclesAndValidations) {
  LoopOptions o = options(12);
  o.evaluation.every = 12;
  LoopState state;
  state.validation_due = true;
  Script script(state);
  script.losses = {1, 2};
  script.period = 4;
  script.pause = 0.005;
  script.validation_pause = 0.02;
  run_loop(o, state, script);
  ASSERT_EQ(script.remaining.size(), 12u);
  // a pause for each four steps, and one validation at the end
  for (int64_t step = 4; step < 12; ++step) {
    const double left = static_cast<double>(12 - step) / 4 * script.pause + script.validation_pause;
    EXPECT_GE(script.remaining[static_cast<size_t>(step - 1)], 0.99 * left) << step;
  }
  EXPECT_GE(script.remaining[11], script.validation_pause);
}

}  // namespace
}  // namespace gyre
