#pragma once
#include <cstdint>

#include "gyre/embed/reconstruction.h"
#include "gyre/train/progress/sink.h"

namespace gyre {

/// An embedding when an epoch is done.
struct EmbedProgress {
  int64_t epoch = 0, total = 0;
  double loss = 0, lr = 0;
  double mean_rank = 0, map = 0;  ///< of the last evaluation; NaN before the first
  double pairs_per_second = 0;
  double elapsed = 0, remaining = 0;  ///< seconds, of this run
};

/// Sees an embedding as it goes. It is asked for the end between steps.
struct EmbedSink : RunSink {
  virtual void advanced(const EmbedProgress& progress) = 0;
  virtual void evaluated(int64_t epoch, const Reconstruction& figures, bool best) = 0;
};

}  // namespace gyre
