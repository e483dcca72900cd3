#pragma once
#include <cstdint>
#include <string>

#include "gyre/embed/reconstruction.h"
#include "gyre/train/progress/writing_sink.h"

namespace gyre {

/// A completed epoch of an embedding.
struct EmbedProgress {
  int64_t epoch = 0, total = 0;
  double loss = 0, lr = 0;
  double mean_rank = 0, map = 0;  ///< of the last evaluation; NaN before the first
  double pairs_per_second = 0;
  double elapsed = 0, remaining = 0;  ///< seconds in this process
};

/// Observer of an embedding run. stop_wanted is polled between steps.
struct EmbedSink : RunSink {
  virtual void advanced(const EmbedProgress& progress) = 0;
  virtual void evaluated(int64_t epoch, const Reconstruction& figures, bool best) = 0;
};

/// Prints the progress of an embedding.
class EmbedText : public WritingSink<EmbedSink> {
 public:
  using WritingSink::WritingSink;

  void advanced(const EmbedProgress& progress) override;
  void evaluated(int64_t epoch, const Reconstruction& figures, bool best) override;
};

/// `epoch/total  loss  MR  MAP  pairs/s  elapsed  ETA`; ETA only if half a second or more remains.
std::string progress_line(const EmbedProgress& progress);

}  // namespace gyre
