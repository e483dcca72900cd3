#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "gyre/nn/matrix_roles.h"
#include "gyre/train/checkpoint.h"
#include "gyre/train/options.h"
#include "gyre/train/progress/sink.h"
#include "gyre/train/step.h"

namespace gyre {

struct OptimizerTable;

/// What to train: model, loss, validation and persistence.
struct TrainTask : Objective {
  /// Size of a batch in unit()s.
  [[nodiscard]] virtual int64_t tokens_per_batch() const = 0;
  [[nodiscard]] virtual const char* unit() const { return "tok"; }
  /// Metrics on the validation data, computed without gradients; NaN without such data. No value if
  /// `sink` stops the run during validation.
  virtual std::optional<Validation> validate(TrainSink& sink) = 0;
  /// A generated sample, if the model generates text; deterministic in step and model.
  [[nodiscard]] virtual std::string sample(int64_t) { return {}; }
  [[nodiscard]] virtual nn::MatrixRoles matrix_roles() const { return {}; }
  /// Writes the model for inference into an existing folder; equal models give equal bytes.
  virtual void save(const std::string& folder) = 0;
  /// Reads the files written by `save`. A resumed run calls it before the optimiser is created, so
  /// the model may have been created without values (nn::Unfilled).
  virtual void load(const std::string& folder) = 0;
};

/// Trains a task, with weight decay on tensors of two or more dimensions (Muon's: on matrices, not
/// on tables), and writes the files of
/// the run to `options.run.out` (listed in models/train.h). The gradient of a step is the mean over
/// its batches, weighted by BatchLoss::weight. 16-bit weights have f32 master weights in the
/// optimiser; with f16 the loss is scaled, and steps with non-finite gradients are skipped.
///
/// `state` is where to start: the state of a checkpoint, whose model and optimiser are loaded, or a
/// new one (step 0). A resumed run writes the same bytes as an uninterrupted one. Error{numeric}
/// naming the step if loss or gradient is not finite; Error{io}; any exception of the task and the
/// sink.
TrainReport run_training(TrainTask& task, const TrainerOptions& options,
                         const OptimizerTable& optimizers, TrainState state, TrainSink& sink);

/// Error{value} naming the option that is out of range or contradicts another.
void check_trainer_options(const TrainerOptions& options);

}  // namespace gyre
