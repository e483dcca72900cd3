#pragma once
#include <cstdio>

#include "gyre/train/sink.h"

namespace gyre {

/// Writes the progress of a training: on a terminal one line that is redrawn, else a line now and
/// then. Ctrl-C: give it the flag that the signal handler sets.
class TextProgress : public TrainSink {
 public:
  /// `out` and `stop` (or null) must outlive this. Errors while writing are left to `out`'s owner.
  TextProgress(std::FILE* out, bool terminal, const volatile bool* stop = nullptr)
      : out_(out), terminal_(terminal), stop_(stop) {}

  void preparing(std::string_view stage, int64_t done, int64_t total) override;
  void started(std::string_view what) override;
  void stepped(const StepProgress& progress) override;
  void validated(const Validation& validation) override;
  void saved(const std::string& checkpoint) override;
  void warned(std::string_view message) override;
  bool stop_wanted() override { return stop_ && *stop_; }

 private:
  void line(std::string_view text);
  void redraw(std::string_view text);

  std::FILE* out_;
  bool terminal_;
  const volatile bool* stop_;
  bool drawn_ = false;       // a line without its newline stands on the terminal
  double drawn_at_ = -1;     // seconds of the training
  double printed_at_ = -1;
};

/// The line of a step: `step/total  loss  lr  |g|  tok/s  memory  elapsed  ETA`.
std::string progress_line(const StepProgress& progress);

}  // namespace gyre
