#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "gyre/base/error.h"
#include "gyre/models/train_options.h"
#include "gyre/nn/layer_def.h"
#include "gyre/train/trainer.h"

namespace gyre {

/// Starting point of a run: new, or a checkpoint.
struct StartPoint {
  std::string out;           ///< output folder, for messages
  std::string checkpoint{};  ///< empty: a new run
  uint64_t data = 0;         ///< checksum of the checkpoint's training data

  /// Error{value} if the data differ from those of the checkpoint.
  void require_same(uint64_t checksum) const;
};

/// A task with its data loaded, before the first step.
struct PreparedTask {
  std::unique_ptr<TrainTask> task{};
  uint64_t checksum = 0;          ///< of the data
  int64_t batches_per_epoch = 0;  ///< 0: no epochs
  bool validates = false;         ///< there are validation data
  std::string summary{};          ///< one line for display
};

/// A network and its images, arrays or table, read from `options.data`. Errors: value naming an
/// option, io, parse, and those of SupervisedTask.
PreparedTask prepare_supervised(const TrainOptions& options, const StartPoint& from,
                                const nn::LayerTable& layers, TrainSink& sink);
/// A language model and its text, read from `options.data`; the tokenizer is trained or, on resume,
/// read from the checkpoint. Errors: value naming an option, io, parse, resource.
PreparedTask prepare_text(const TrainOptions& options, const StartPoint& from, TrainSink& sink);
/// As above, with memory-mapped token files for training and, if there are two, validation; the
/// tokenizer is the file `options.tokenizer`. A resumed run detects changes only in the size and
/// the ends of these files.
PreparedTask prepare_tokens(const TrainOptions& options, const StartPoint& from, TrainSink& sink);

/// Throws Error{value} of `train`.
[[noreturn]] inline void refuse_training(const Message& message, const Message& expected = {},
                                         const Message& actual = {}) {
  throw Error(Code::value, "train", message, expected, actual);
}

}  // namespace gyre
