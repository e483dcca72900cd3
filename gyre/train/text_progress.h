#pragma once
#include <atomic>
#include <cstdio>
#include <string>

#include "gyre/train/sink.h"
#include "gyre/train/status_line.h"

namespace gyre {

/// Writes the progress of a training: on a terminal one line that is redrawn, else a line now and
/// then.
class TextProgress : public TrainSink {
 public:
  /// Where a flag lies that is set to end the training.
  using StopFlag = const std::atomic<bool>* (*)() noexcept;

  /// `out` must outlive this; a failure to write shows in ferror(out). `stop`, if given, is called
  /// when there is something to save; base/interrupt.h has one.
  TextProgress(std::FILE* out, bool terminal, StopFlag stop = nullptr)
      : line_(out, terminal), stop_flag_(stop) {}
  TextProgress(const TextProgress&) = delete;
  TextProgress& operator=(const TextProgress&) = delete;
  /// Ends the line that stands on the terminal.
  ~TextProgress() override;

  void preparing(std::string_view stage, int64_t done, int64_t total) override;
  void started(std::string_view what) override;
  void stepped(const StepProgress& progress) override;
  void validated(const Validation& validation) override;
  void saved(const std::string& checkpoint) override;
  void sampled(int64_t step, std::string_view text) override;
  void noted(std::string_view lines) override;
  void warned(std::string_view message) override;
  bool stop_wanted() override { return stop_ && *stop_; }

 private:
  StatusLine line_;
  StopFlag stop_flag_;
  const std::atomic<bool>* stop_ = nullptr;
  double shown_ = -1e9;  // when a step was last shown, in seconds of the training
  std::string stage_;
};

/// The line of a step: `step/total  loss  lr  |g|  tok/s  memory  elapsed  ETA`,
/// the last while half a second or more is left.
std::string progress_line(const StepProgress& progress);
/// "0.9 s", "12 s", "3:05 min", "2:03:04 h".
std::string duration_text(double seconds);
/// "12,345" below a million, "1.23 M" from there on.
std::string grouped(int64_t number);

}  // namespace gyre
