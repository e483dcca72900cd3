#pragma once
#include <cstdio>
#include <string>

#include "gyre/embed/embed_progress.h"
#include "gyre/train/progress/text_progress.h"
#include "python/core/errors.h"

// Training runs in Python: progress text goes to a Python stream (sys.stderr, also shown in
// notebooks), and every event goes to a callable. Methods are called without the GIL.
//
// Ctrl-C after the first step saves a checkpoint and ends the run as `interrupted`; before the
// first step it raises KeyboardInterrupt. Exceptions of the callable or of other signal handlers
// end the run and are passed on.

namespace gyre::python {

/// The stream and the callable.
class Watch {
 public:
  /// Needs the GIL. `stream` may be None: no output. `watch` is None or called as watch(event,
  /// values) with a str and a dict.
  Watch(nb::object stream, nb::object watch);
  /// Needs the GIL. Flushes pending output.
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  /// The file that collects text for the stream.
  [[nodiscard]] std::FILE* file() const { return file_; }
  /// Writes the collected text to the stream.
  void show();
  /// The same, then calls the callable; values(d) fills a dict with the GIL held.
  void tell(const char* event, auto values) {
    show();
    if (watch_.is_none()) return;
    in_python([&] {
      nb::dict d;
      values(d);
      watch_(event, d);
    });
  }
  void look_for_signals();
  /// Called once there is progress to save.
  void begin() { begun_ = true; }
  bool stop_wanted();

 private:
  /// Runs f with the GIL; if there is progress to save, a KeyboardInterrupt requests a stop.
  void in_python(auto f) {
    nb::gil_scoped_acquire lock;
    try {
      f();
    } catch (nb::python_error& raised) {
      if (!begun_ || !raised.matches(PyExc_KeyboardInterrupt)) throw;
      stop_ = true;
    }
  }

  nb::object stream_, watch_;
  char* written_ = nullptr;  // text not yet passed to the stream
  size_t bytes_ = 0;
  std::FILE* file_ = nullptr;
  bool begun_ = false, stop_ = false;
};

/// Base of the sinks of training runs. `Text` formats the run that `Sink` observes.
template <class Sink, class Text>
class PythonSink : public Sink {
 public:
  /// Needs the GIL. `redraws`: the stream is a terminal or supports carriage returns.
  PythonSink(nb::object stream, bool redraws, nb::object watch)
      : watch_(std::move(stream), std::move(watch)), text_(watch_.file(), redraws) {}

  void started(std::string_view what) override {
    watch_.begin();
    text_.started(what);
    watch_.tell("started", [&](nb::dict& d) { d["what"] = std::string(what); });
  }
  void noted(std::string_view lines) override {
    text_.noted(lines);
    watch_.tell("noted", [&](nb::dict& d) { d["lines"] = std::string(lines); });
  }
  void warned(std::string_view message) override {
    text_.warned(message);
    watch_.tell("warned", [&](nb::dict& d) { d["message"] = std::string(message); });
  }
  bool stop_wanted() override { return watch_.stop_wanted(); }

 protected:
  Watch watch_;
  Text text_;
};

/// Sink of gyre.train.
class TrainingSink final : public PythonSink<TrainSink, TextProgress> {
 public:
  using PythonSink::PythonSink;

  void preparing(std::string_view stage, int64_t done, int64_t total) override;
  void stepped(const StepProgress& progress) override;
  void validated(const Validation& validation) override;
  void saved(const std::string& checkpoint) override;
  void sampled(int64_t step, std::string_view text) override;
};

/// Sink of gyre.embed.
class EmbeddingSink final : public PythonSink<EmbedSink, EmbedText> {
 public:
  using PythonSink::PythonSink;

  void advanced(const EmbedProgress& progress) override;
  void evaluated(int64_t epoch, const Reconstruction& figures, bool best) override;
};

}  // namespace gyre::python
