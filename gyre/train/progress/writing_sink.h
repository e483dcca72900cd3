#pragma once
#include <atomic>
#include <cstdio>
#include <string>
#include <string_view>

#include "gyre/base/text/printable.h"
#include "gyre/train/progress/sink.h"

namespace gyre {

/// Output lines, and on a terminal one status line below them that is redrawn.
class StatusLine {
 public:
  /// `out` must outlive this; a failure to write shows in ferror(out).
  StatusLine(std::FILE* out, bool terminal) : out_(out), terminal_(terminal) {}

  [[nodiscard]] bool terminal() const { return terminal_; }
  /// A permanent line, or several; control characters in them are escaped.
  void print(std::string_view lines);
  /// A line that the next one replaces; for terminals.
  void redraw(std::string_view line);
  /// Ends the status line on the terminal, or one begun by an echo (the ^C of an interrupt).
  void end(bool echoed);

 private:
  std::FILE* out_;
  bool terminal_;
  bool drawn_ = false;  // a status line is on the terminal
};

/// A TrainSink, or another RunSink, that prints text: on a terminal one line that is redrawn, else
/// a line every few seconds. Derived classes print the other events.
template <class Sink>
class WritingSink : public Sink {
 public:
  /// Returns a flag that is set to stop the run.
  using StopFlag = const std::atomic<bool>* (*)() noexcept;

  /// `out` must outlive this; a failure to write shows in ferror(out). `stop`, if given, is called
  /// once there is something to save; base/system/interrupt.h has one.
  WritingSink(std::FILE* out, bool terminal, StopFlag stop = nullptr)
      : line_(out, terminal), stop_flag_(stop) {}
  WritingSink(const WritingSink&) = delete;
  WritingSink& operator=(const WritingSink&) = delete;
  /// Ends the status line on the terminal.
  ~WritingSink() override { line_.end(stop_wanted()); }

  void started(std::string_view what) override {
    line_.print(printable(what));
    if (stop_flag_) stop_ = stop_flag_();
  }
  void noted(std::string_view lines) override { line_.print(lines); }
  void warned(std::string_view message) override { line_.print("warning: " + printable(message)); }
  bool stop_wanted() final { return stop_ && *stop_; }

 protected:
  /// Prints progress_line(step) if it is the last, if enough time has passed, or if a new run has
  /// started.
  template <class Step>
  void show(const Step& step, bool last) {
    constexpr double kRedrawEvery = 0.1, kPrintEvery = 5;  // seconds
    const double since = step.elapsed - shown_;
    if (!last && since >= 0 && since < (line_.terminal() ? kRedrawEvery : kPrintEvery)) return;
    shown_ = step.elapsed;
    if (line_.terminal() && !last) {
      line_.redraw(progress_line(step));
    } else {
      line_.print(progress_line(step));
    }
  }

  StatusLine line_;

 private:
  StopFlag stop_flag_;
  const std::atomic<bool>* stop_ = nullptr;
  double shown_ = -1e9;  // time of the last printed step, in seconds of the run
};

}  // namespace gyre
