#pragma once
#include <cstdint>
#include <string>

#include "gyre/embed/embed_sink.h"
#include "gyre/train/progress/writing_sink.h"

namespace gyre {

/// Writes how an embedding goes.
class EmbedText : public WritingSink<EmbedSink> {
 public:
  using WritingSink::WritingSink;

  void advanced(const EmbedProgress& progress) override;
  void evaluated(int64_t epoch, const Reconstruction& figures, bool best) override;
};

/// `epoch/total  loss  MR  MAP  pairs/s  elapsed  ETA`, the last while half a second or more is
/// left.
std::string progress_line(const EmbedProgress& progress);

}  // namespace gyre
