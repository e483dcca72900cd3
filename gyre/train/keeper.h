#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "gyre/train/checkpoint.h"
#include "gyre/train/log/training_log.h"
#include "gyre/train/progress/sink.h"
#include "gyre/train/trainer.h"

namespace gyre {

/// Saves the checkpoints, the final model, the log and the loss plot of a training run, and
/// forwards its events to the sink. Of several processes that train together, only rank 0 has a
/// keeper.
class Keeper {
 public:
  /// The arguments must outlive this. Nothing is written before begin().
  Keeper(const std::string& folder, TrainTask& task, TrainSink& sink)
      : folder_(folder), store_(folder + "/checkpoints"), task_(task), sink_(sink) {}

  /// Reads the model of a checkpoint.
  void load_model(int64_t step) { task_.load(store_.path(step)); }
  /// Reads the rest of a checkpoint.
  void restore(const TrainState& state, Step& step);
  /// Opens the log after `step` steps.
  void begin(int64_t step) { log_.emplace(folder_, step); }

  void log(const StepProgress& progress) { log_->add(progress); }
  void validated(const Validation& validation) {
    sink_.validated(validation);
    log_->add(validation);
  }
  void sampled(int64_t step, const std::string& text) {
    sink_.sampled(step, text);
    log_->add_sample(step, text);
  }
  /// Writes a checkpoint, the model with averaged weights if there are any, and the plot.
  void save(TrainState& state, Step& step);
  /// Replaces the model in the folder by that of the checkpoint of step `best`.
  void save_best(int64_t best, Step& step);
  /// Steps of the newest checkpoint; -1: none.
  [[nodiscard]] int64_t newest() const { return newest_; }
  [[nodiscard]] std::string checkpoint() const { return store_.path(newest_); }

 private:
  void save_model(Step& step);

  const std::string& folder_;
  CheckpointStore store_;
  TrainTask& task_;
  TrainSink& sink_;
  std::optional<TrainingLog> log_;
  int64_t newest_ = -1;
};

}  // namespace gyre
