#pragma once
#include <cstdint>
#include <string>

#include "gyre/embed/embed_sink.h"
#include "gyre/train/progress/writing_sink.h"

namespace gyre {

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
