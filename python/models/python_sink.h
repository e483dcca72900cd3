#pragma once
#include <cstdio>
#include <string>

#include "gyre/embed/embed_progress.h"
#include "gyre/train/progress/text_progress.h"
#include "python/core/errors.h"

// Trainings as Python sees them: progress as text to a stream of Python (sys.stderr; notebooks show
// it), and every event to a callable. Calls come without the interpreter's lock.
//
// Ctrl-C while steps are done saves them and ends the training as `interrupted`; before the first
// step it is a KeyboardInterrupt. What the callable or another handler of signals raises ends the
// training and comes out as it is.

namespace gyre::python {

/// The stream and the callable.
class Watch {
 public:
  /// Needs the lock. `stream` may be None: nothing is shown. `watch` is None or called as
  /// watch(event, values), a text and a dict.
  Watch(nb::object stream, nb::object watch);
  /// Needs the lock. Shows what is left.
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  /// Where text for the stream is written.
  [[nodiscard]] std::FILE* file() const { return file_; }
  /// Gives the stream what was written.
  void show();
  /// The same, and calls the callable; values(d) fills a dict, with the lock.
  template <class Values>
  void tell(const char* event, Values values) {
    show();
    if (watch_.is_none()) return;
    in_python([&] {
      nb::dict d;
      values(d);
      watch_(event, d);
    });
  }
  void look_for_signals();
  /// From now on there is something to save.
  void begin() { begun_ = true; }
  bool stop_wanted();

 private:
  /// Runs f with the lock; a KeyboardInterrupt in it is noted where there is something to save.
  template <class F>
  void in_python(F f) {
    nb::gil_scoped_acquire lock;
    try {
      f();
    } catch (nb::python_error& raised) {
      if (!begun_ || !raised.matches(PyExc_KeyboardInterrupt)) throw;
      stop_ = true;
    }
  }

  nb::object stream_, watch_;
  char* written_ = nullptr;  // what was written and the stream has not got
  size_t bytes_ = 0;
  std::FILE* file_ = nullptr;
  bool begun_ = false, stop_ = false;
};

/// What sinks of all trainings have. `Text` writes a training that `Sink` sees.
template <class Sink, class Text>
class PythonSink : public Sink {
 public:
  /// Needs the lock. `redraws`: the stream is a terminal or like one.
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

/// Of gyre.train.
class TrainingSink final : public PythonSink<TrainSink, TextProgress> {
 public:
  using PythonSink::PythonSink;

  void preparing(std::string_view stage, int64_t done, int64_t total) override;
  void stepped(const StepProgress& progress) override;
  void validated(const Validation& validation) override;
  void saved(const std::string& checkpoint) override;
  void sampled(int64_t step, std::string_view text) override;
};

/// Of gyre.embed.
class EmbeddingSink final : public PythonSink<EmbedSink, EmbedText> {
 public:
  using PythonSink::PythonSink;

  void advanced(const EmbedProgress& progress) override;
  void evaluated(int64_t epoch, const Reconstruction& figures, bool best) override;
};

}  // namespace gyre::python
