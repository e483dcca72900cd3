#pragma once
#include <atomic>
#include <cstdio>
#include <string>

#include "gyre/embed/embed_sink.h"
#include "gyre/train/status_line.h"

namespace gyre {

/// Writes how an embedding goes: on a terminal one line that is redrawn, else a line now and then.
class EmbedText : public EmbedSink {
 public:
  /// Where a flag lies that is set to end the training.
  using StopFlag = const std::atomic<bool>* (*)() noexcept;

  /// `out` must outlive this. `stop`, if given, is called when there is something to save;
  /// base/interrupt.h has one.
  EmbedText(std::FILE* out, bool terminal, StopFlag stop = nullptr)
      : line_(out, terminal), stop_flag_(stop) {}
  EmbedText(const EmbedText&) = delete;
  EmbedText& operator=(const EmbedText&) = delete;
  /// Ends the line that stands on the terminal.
  ~EmbedText() override { line_.end(stop_ && *stop_); }

  void started(std::string_view what) override;
  void advanced(const EmbedProgress& progress) override;
  void evaluated(int64_t epoch, const Reconstruction& figures, bool best) override;
  void noted(std::string_view lines) override { line_.print(lines); }
  void warned(std::string_view message) override;
  bool stop_wanted() override { return stop_ && *stop_; }

 private:
  StatusLine line_;
  StopFlag stop_flag_;
  const std::atomic<bool>* stop_ = nullptr;
  double shown_ = -1e9;  // when a line was last shown, in seconds of the training
};

/// `epoch/total  loss  MR  MAP  pairs/s  elapsed  ETA`, the last while half a second or more is
/// left.
std::string progress_line(const EmbedProgress& progress);

}  // namespace gyre
