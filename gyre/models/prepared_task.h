#pragma once
#include <cstdint>
#include <memory>
#include <string>

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

}  // namespace gyre
