#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "gyre/nn/module.h"
#include "gyre/train/checkpoint.h"
#include "gyre/train/options.h"
#include "gyre/train/sink.h"

namespace gyre {

/// What is trained, as far as a Trainer knows it.
struct TrainTask {
  virtual ~TrainTask() = default;
  virtual nn::Module& model() = 0;
  /// Mean loss of batch `number`, recorded. The same number gives the same batch.
  virtual Tensor loss(int64_t number) = 0;
  [[nodiscard]] virtual int64_t tokens_per_batch() const = 0;
  /// Loss and bits a byte on held-back data, not recorded; NaN where there is none. Nothing when
  /// `sink` wants to stop before it is done.
  virtual std::optional<Validation> validate(TrainSink& sink) = 0;
  /// Writes the model, as others read it, into a folder that exists; equal models, equal bytes.
  virtual void save(const std::string& folder) = 0;
  /// Reads what `save` wrote.
  virtual void load(const std::string& folder) = 0;
};

/// Trains a task by AdamW, with decay on tensors of two or more dimensions, and keeps the files of
/// the training in `options.out` (models/train.h says which).
///
/// `state` is where to begin: that of a checkpoint, whose model and optimiser are read, or a fresh
/// one (step 0). A training that was stopped and gone on with gives the same bytes as one that was
/// not. Error{numeric} naming the step when loss or gradient are no longer finite; Error{io};
/// whatever the task and the sink throw.
TrainReport run_training(TrainTask& task, const TrainOptions& options, TrainState state,
                         TrainSink& sink);

/// Error{value} naming the option for numbers that make no sense or contradict each other.
void check_train_options(const TrainOptions& options);

}  // namespace gyre
