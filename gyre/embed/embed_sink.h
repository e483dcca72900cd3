#pragma once
#include <cstdint>
#include <string_view>

#include "gyre/embed/reconstruction.h"

namespace gyre {

/// An embedding when an epoch is done.
struct EmbedProgress {
  int64_t epoch = 0, total = 0;
  double loss = 0, lr = 0;
  double mean_rank = 0, map = 0;  ///< of the last evaluation; NaN before the first
  double pairs_per_second = 0;
  double elapsed = 0, remaining = 0;  ///< seconds, of this run
};

/// Sees an embedding as it goes. What it throws ends the training without a checkpoint.
struct EmbedSink {
  virtual ~EmbedSink() = default;
  /// Everything is ready: one line that says what is embedded.
  virtual void started(std::string_view what) = 0;
  virtual void advanced(const EmbedProgress& progress) = 0;
  virtual void evaluated(int64_t epoch, const Reconstruction& figures, bool best) = 0;
  /// Lines for the reader.
  virtual void noted(std::string_view lines) = 0;
  /// Something to know that ends nothing.
  virtual void warned(std::string_view message) = 0;
  /// Asked between steps; true saves what is done and ends with `interrupted`.
  virtual bool stop_wanted() = 0;
};

}  // namespace gyre
