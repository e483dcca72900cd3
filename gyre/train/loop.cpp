#include "gyre/train/loop.h"

#include <algorithm>
#include <chrono>
#include <limits>

namespace gyre {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// What a kind of work takes each time.
struct MeanTime {
  double seconds = 0;
  int64_t times = 0;
  void add(double more) {
    seconds += more;
    ++times;
  }
  [[nodiscard]] double mean() const { return times > 0 ? seconds / static_cast<double>(times) : 0; }
};

class Loop {
 public:
  Loop(const LoopOptions& options, LoopState& state, LoopTask& task)
      : options_(options), state_(state), task_(task) {}

  LoopProgress operator()() {
    const Clock::time_point started = Clock::now();
    if (state_.validation_due) {
      validate();
      if (!done_.interrupted) save();
    }
    const int64_t stop_at = options_.checkpoints.stop_at;
    const int64_t last = stop_at > 0 ? std::min(stop_at, options_.steps) : options_.steps;
    while (state_.step < last && !done_.interrupted && !update_stopped_early()) {
      const Clock::time_point begun = Clock::now();
      done_.interrupted = !task_.run_step();
      done_.in_steps += seconds_since(begun);
      if (done_.interrupted) break;
      ++state_.step;
      ++done_.new_steps;
      done_.elapsed = seconds_since(started);
      if (done_.new_steps % task_.cycle() == 0) steps_ = {done_.in_steps, done_.new_steps};
      done_.remaining = remaining();
      after_step(state_.step == last);
    }
    done_.elapsed = seconds_since(started);
    return done_;
  }

 private:
  bool update_stopped_early() {
    const int64_t patience = options_.evaluation.patience;
    done_.stopped_early = (patience > 0 && state_.worse >= patience) || task_.satisfied();
    return done_.stopped_early;
  }

  [[nodiscard]] bool due(int64_t every) const { return every > 0 && state_.step % every == 0; }

  // How often something is due from this step to the last, `at_end` also after it.
  [[nodiscard]] double still_due(int64_t every, bool at_end) const {
    const int64_t end = options_.steps;
    int64_t times = every > 0 ? end / every - (state_.step - 1) / every : 0;
    if (at_end && !(every > 0 && end % every == 0)) ++times;
    return static_cast<double>(times);
  }

  // Without what was never done so far, and without saving better states than the best.
  [[nodiscard]] double remaining() const {
    if (steps_.times == 0) return std::numeric_limits<double>::quiet_NaN();
    return static_cast<double>(options_.steps - state_.step) * steps_.mean() +
           still_due(options_.evaluation.every, true) * validations_.mean() +
           still_due(options_.sample_every, false) * samples_.mean() +
           still_due(options_.checkpoints.every, true) * saves_.mean();
  }

  void save() {
    const Clock::time_point begun = Clock::now();
    task_.save();
    saves_.add(seconds_since(begun));
  }

  void sample() {
    const Clock::time_point begun = Clock::now();
    task_.sample();
    samples_.add(seconds_since(begun));
  }

  void after_step(bool ended) {
    state_.validation_due = due(options_.evaluation.every) || state_.step == options_.steps;
    task_.stepped(done_, state_.validation_due);
    done_.interrupted = !ended && task_.stop_wanted();
    if (due(options_.log_every) || ended || done_.interrupted) task_.log();
    const bool kept = state_.validation_due && !done_.interrupted && validate();
    if (due(options_.sample_every)) sample();
    ended |= update_stopped_early();
    if (due(options_.checkpoints.every) || ended || done_.interrupted || kept) save();
  }

  // True to save. An interrupted validation remains due.
  bool validate() {
    const Clock::time_point begun = Clock::now();
    std::optional<Validation> done = task_.validate();
    validations_.add(seconds_since(begun));
    done_.interrupted = !done;
    if (!done) return false;
    state_.validation_due = false;
    if (!done->measured) return false;
    done->step = state_.step;
    done->best = done->figures.loss < state_.best_loss;
    if (done->best) {
      state_.best_loss = done->figures.loss;
      state_.best_step = state_.step;
    }
    state_.worse = done->best ? 0 : state_.worse + 1;
    return task_.validated(*done);
  }

  const LoopOptions& options_;
  LoopState& state_;
  LoopTask& task_;
  LoopProgress done_;
  MeanTime steps_, validations_, samples_, saves_;  // steps_: of whole cycles
};

}  // namespace

LoopProgress run_loop(const LoopOptions& options, LoopState& state, LoopTask& task) {
  return Loop(options, state, task)();
}

}  // namespace gyre
