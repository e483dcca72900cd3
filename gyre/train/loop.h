#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "gyre/train/progress/sink.h"
#include "gyre/train/run_options.h"

namespace gyre {

/// When a loop validates, samples, saves and stops. A step is one of training or an epoch of
/// embedding.
struct LoopOptions {
  int64_t steps = 0;                ///< of the whole run
  int64_t log_every = 0;            ///< 0: never
  int64_t sample_every = 0;         ///< 0: never
  EvaluationOptions evaluation{};   ///< also after the last step
  CheckpointOptions checkpoints{};  ///< also after the last step
};

/// Where a loop is.
struct LoopState {
  int64_t step = 0;                                            ///< steps done
  double best_loss = std::numeric_limits<double>::infinity();  ///< best validation so far
  int64_t best_step = 0;                                       ///< its step, if there is one
  int64_t worse = 0;                                           ///< validations since the best
  /// The validation after this step is still to be made: it was interrupted, or one is wanted
  /// before the first step.
  bool validation_due = false;
  /// Whether there was a validation with a finite loss.
  [[nodiscard]] bool has_best() const { return std::isfinite(best_loss); }
};

/// What a loop has done since the start or resume, in steps and seconds, and how it ended. If
/// neither `interrupted` nor `stopped_early`, all steps until `stop_at` are done.
struct LoopProgress {
  int64_t new_steps = 0;
  double in_steps = 0;         ///< without validation, samples and files
  double elapsed = 0;          ///< with them
  double remaining = 0;        ///< estimated from whole cycles of steps; NaN before the first
  bool interrupted = false;    ///< stopped by the task
  bool stopped_early = false;  ///< by patience, or satisfied
  /// Throughput of steps in what a step has `count` of.
  [[nodiscard]] double per_second(int64_t count) const {
    return new_steps > 0 ? static_cast<double>(new_steps * count) / in_steps : 0;
  }
};

/// What a loop does, in the order of the declarations.
struct LoopTask {
  virtual ~LoopTask() = default;
  /// The next step. False if it was stopped before its end.
  virtual bool run_step() = 0;
  /// Steps after which their times repeat, since some have more to do.
  [[nodiscard]] virtual int64_t cycle() const { return 1; }
  /// After a step; `validates`: a validation follows.
  virtual void stepped(const LoopProgress& progress, bool validates) = 0;
  /// Polled after every step but the last.
  virtual bool stop_wanted() = 0;
  virtual void log() {}
  /// The best state is the one with the lowest `figures.loss`. No value if it was stopped.
  virtual std::optional<Validation> validate() = 0;
  /// After a validation that had data; `step` and `best` are set. Returns whether to save.
  virtual bool validated(const Validation& validation) = 0;
  virtual void sample() {}
  /// Whether the last validation is good enough to stop.
  [[nodiscard]] virtual bool satisfied() const { return false; }
  virtual void save() = 0;
};

/// Runs the steps from `state` on, first the validation that is due. A stopped run skips one that
/// is due; the resumed run makes it first, so both validate at the same steps. A step that stops
/// midway is not saved: the task does that.
LoopProgress run_loop(const LoopOptions& options, LoopState& state, LoopTask& task);

}  // namespace gyre
