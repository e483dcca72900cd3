#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "gyre/train/trainer.h"

namespace gyre {

/// Where a training begins: anew, or with a checkpoint.
struct StartPoint {
  std::string out;           ///< its folder, for messages
  std::string checkpoint{};  ///< empty: anew
  uint64_t data = 0;         ///< checksum of the data that the checkpoint was made with

  /// Error{value} for other data than those of the checkpoint.
  void require_same(uint64_t checksum) const;
};

/// A task with its data, before the first step.
struct PreparedTask {
  std::unique_ptr<TrainTask> task{};
  uint64_t checksum = 0;          ///< of the data
  int64_t batches_per_epoch = 0;  ///< 0: there are no epochs
  bool validates = false;         ///< some data are held back
  std::string summary{};          ///< one line for people
};

}  // namespace gyre
