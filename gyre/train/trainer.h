#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "gyre/nn/module.h"
#include "gyre/train/checkpoint.h"
#include "gyre/train/options.h"
#include "gyre/train/progress/sink.h"

namespace gyre {

struct OptimizerTable;

/// The loss of a batch.
struct BatchLoss {
  Tensor mean;        ///< recorded; f32 or f64
  double weight = 1;  ///< of the batch against others of the same step: its share of a full one
};

/// What is trained, as far as a Trainer knows it.
struct TrainTask {
  virtual ~TrainTask() = default;
  virtual nn::Module& model() = 0;
  /// Loss of batch `number`. The same number gives the same batch.
  virtual BatchLoss loss(int64_t number) = 0;
  /// What a batch has, counted in unit().
  [[nodiscard]] virtual int64_t tokens_per_batch() const = 0;
  [[nodiscard]] virtual const char* unit() const { return "tok"; }
  /// Loss and bits a byte on held-back data, not recorded; NaN where there is none. Nothing when
  /// `sink` wants to stop before it is done.
  virtual std::optional<Validation> validate(TrainSink& sink) = 0;
  /// A text that the model writes, if it writes texts; the same for the same step and model.
  [[nodiscard]] virtual std::string sample(int64_t) { return {}; }
  /// Writes the model, as others read it, into a folder that exists; equal models, equal bytes.
  virtual void save(const std::string& folder) = 0;
  /// Reads what `save` wrote.
  virtual void load(const std::string& folder) = 0;
};

/// Trains a task with decay on tensors of two or more dimensions, and keeps the files of the
/// training in `options.out` (models/train.h says which). The gradient of a step is the mean over
/// its batches, by their weights. Weights of 16 bits have masters in the optimiser; with f16 the
/// loss is scaled, and a step whose gradients are not finite is passed over.
///
/// `state` is where to begin: that of a checkpoint, whose model and optimiser are read, or a fresh
/// one (step 0). A training that was stopped and gone on with gives the same bytes as one that was
/// not. Error{numeric} naming the step when loss or gradient are no longer finite; Error{io};
/// whatever the task and the sink throw.
TrainReport run_training(TrainTask& task, const TrainOptions& options,
                         const OptimizerTable& optimizers, TrainState state, TrainSink& sink);

/// Error{value} naming the option for numbers that make no sense or contradict each other.
void check_train_options(const TrainOptions& options);

}  // namespace gyre
