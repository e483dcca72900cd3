#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "gyre/train/progress/figures.h"

namespace gyre {

/// One step of a training, when it is done.
struct StepProgress {
  int64_t step = 0;   ///< steps done, from 1
  int64_t total = 0;  ///< of the whole training
  double loss = 0, lr = 0, gradient_norm = 0;
  double tokens_per_second = 0;       ///< lately, in `unit`s
  int64_t memory_bytes = 0;           ///< that tensors take
  double elapsed = 0, remaining = 0;  ///< seconds, of this run
  const char* unit = "tok";
  bool skipped = false;  ///< its gradients were not finite, so nothing was changed
};

/// One validation.
struct Validation {
  int64_t step = 0;
  Figures figures{};
  bool best = false;     ///< the lowest loss so far
  bool measured = true;  ///< false when there is nothing to validate with
};

/// Sees a training of any kind as it goes. What it throws ends the training without a checkpoint.
struct RunSink {
  virtual ~RunSink() = default;
  /// Everything is ready: one line that says what is trained.
  virtual void started(std::string_view what);
  /// Lines for the reader.
  virtual void noted(std::string_view lines);
  /// Something to know that does not end the training.
  virtual void warned(std::string_view message);
  /// Asked between the parts of all that takes long; true saves the steps that are done and ends
  /// with `interrupted`.
  virtual bool stop_wanted();
};

/// Sees the training of a model as it goes. It is asked for the end after every batch, those of
/// validations too.
struct TrainSink : RunSink {
  /// A stage before the first step ("learning the tokenizer"); `done` of `total`, 0 of 0 if
  /// unknown.
  virtual void preparing(std::string_view stage, int64_t done, int64_t total);
  virtual void stepped(const StepProgress& progress);
  virtual void validated(const Validation& validation);
  virtual void saved(const std::string& checkpoint);
  /// A text that the model has written.
  virtual void sampled(int64_t step, std::string_view text);
};

}  // namespace gyre
