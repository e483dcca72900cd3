#pragma once
#include <cstdio>
#include <string>

#include "gyre/train/sink.h"

namespace gyre {

/// Writes the progress of a training: on a terminal one line that is redrawn, else a line now and
/// then.
class TextProgress : public TrainSink {
 public:
  /// `out` must outlive this; a failure to write shows in ferror(out). `stop`, if given, is what a
  /// signal handler sets to end the training.
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
  /// A line that stays.
  void print(std::string_view text);
  /// A line that the next one replaces.
  void redraw(std::string_view text);

  std::FILE* out_;
  bool terminal_;
  const volatile bool* stop_;
  bool drawn_ = false;   // a line that may be replaced stands on the terminal
  double shown_ = -1e9;  // when a step was last shown, in seconds of the training
  std::string stage_;
};

/// The line of a step: `step/total  loss  lr  |g|  tok/s  memory  elapsed  ETA`.
std::string progress_line(const StepProgress& progress);
/// "850 ms", "12 s", "3:05", "2:03:04".
std::string duration_text(double seconds);
/// "512 B", "1.5 KiB", "12 MiB", "3.2 GiB".
std::string size_text(double bytes);

}  // namespace gyre
