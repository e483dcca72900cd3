#pragma once
#include <cstdio>
#include <string>

#include "gyre/train/text_progress.h"
#include "python/errors.h"

namespace gyre::python {

/// Shows a training in Python: its progress as text to a stream of Python (sys.stderr; notebooks
/// show it), and every event to a callable. Calls come without the interpreter's lock.
///
/// Ctrl-C while steps are done saves them and ends the training as `interrupted`; before the first
/// step it is a KeyboardInterrupt. What the callable or another handler of signals raises ends the
/// training and comes out as it is.
class PythonSink final : public TrainSink {
 public:
  /// Needs the lock. `stream` may be None: nothing is shown. `watch` is None or called as
  /// watch(event, values), a text and a dict. `redraws`: the stream is a terminal or like one.
  PythonSink(nb::object stream, bool redraws, nb::object watch);
  /// Needs the lock.
  ~PythonSink() override;

  void preparing(std::string_view stage, int64_t done, int64_t total) override;
  void started(std::string_view what) override;
  void stepped(const StepProgress& progress) override;
  void validated(const Validation& validation) override;
  void saved(const std::string& checkpoint) override;
  void sampled(int64_t step, std::string_view text) override;
  void noted(std::string_view lines) override;
  void warned(std::string_view message) override;
  bool stop_wanted() override;

 private:
  /// Gives the stream what the text has become.
  void show();
  void look_for_signals();
  template <class F>
  void in_python(F f);
  template <class Values>
  void tell(const char* event, Values values);

  nb::object stream_, watch_;
  char* written_ = nullptr;  // what text_ wrote and the stream has not got
  size_t bytes_ = 0;
  std::FILE* file_ = nullptr;
  TextProgress* text_ = nullptr;
  bool begun_ = false, stop_ = false;
};

}  // namespace gyre::python
