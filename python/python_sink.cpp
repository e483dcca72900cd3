#include "python/python_sink.h"

#include <cstdlib>

namespace gyre::python {

PythonSink::PythonSink(nb::object stream, bool redraws, nb::object watch)
    : stream_(std::move(stream)), watch_(std::move(watch)) {
  file_ = open_memstream(&written_, &bytes_);
  if (!file_) throw std::bad_alloc();
  text_ = new TextProgress(file_, redraws);
}

PythonSink::~PythonSink() {
  delete text_;  // which ends a line that stands there
  try {
    show();
  } catch (nb::python_error& e) {
    e.discard_as_unraisable("gyre.train");
  }
  std::fclose(file_);
  std::free(written_);
}

// Runs f with the lock; a KeyboardInterrupt in it is noted where there is something to save.
template <class F>
void PythonSink::in_python(F f) {
  nb::gil_scoped_acquire lock;
  try {
    f();
  } catch (nb::python_error& raised) {
    if (!begun_ || !raised.matches(PyExc_KeyboardInterrupt)) throw;
    stop_ = true;
  }
}

void PythonSink::show() {
  std::fflush(file_);
  if (bytes_ == 0) return;
  std::string text(written_, bytes_);
  std::rewind(file_);
  if (stream_.is_none()) return;
  in_python([&] {
    nb::object shown = nb::steal(
        PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
    stream_.attr("write")(shown);
    stream_.attr("flush")();
  });
}

// values(d) fills a dict; it is called with the lock.
template <class Values>
void PythonSink::tell(const char* event, Values values) {
  show();
  if (watch_.is_none()) return;
  in_python([&] {
    nb::dict d;
    values(d);
    watch_(event, d);
  });
}

void PythonSink::look_for_signals() {
  in_python([] {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  });
}

bool PythonSink::stop_wanted() {
  if (!stop_) look_for_signals();
  return stop_;
}

void PythonSink::preparing(std::string_view stage, int64_t done, int64_t total) {
  look_for_signals();
  text_->preparing(stage, done, total);
  tell("preparing", [&](nb::dict& d) {
    d["stage"] = std::string(stage);
    d["done"] = done;
    d["total"] = total;
  });
}

void PythonSink::started(std::string_view what) {
  begun_ = true;
  text_->started(what);
  tell("started", [&](nb::dict& d) { d["what"] = std::string(what); });
}

void PythonSink::stepped(const StepProgress& p) {
  text_->stepped(p);
  tell("stepped", [&](nb::dict& d) {
    d["step"] = p.step;
    d["total"] = p.total;
    d["loss"] = p.loss;
    d["lr"] = p.lr;
    d["gradient_norm"] = p.gradient_norm;
    d["tokens_per_second"] = p.tokens_per_second;
    d["memory_bytes"] = p.memory_bytes;
    d["elapsed"] = p.elapsed;
    d["remaining"] = p.remaining;
    d["skipped"] = p.skipped;
  });
}

void PythonSink::validated(const Validation& v) {
  text_->validated(v);
  tell("validated", [&](nb::dict& d) {
    d["step"] = v.step;
    for (const FigureDef& f : kFigures) d[f.name] = v.figures.*f.value;
    d["best"] = v.best;
  });
}

void PythonSink::saved(const std::string& checkpoint) {
  text_->saved(checkpoint);
  tell("saved", [&](nb::dict& d) { d["checkpoint"] = checkpoint; });
}

void PythonSink::sampled(int64_t step, std::string_view text) {
  text_->sampled(step, text);
  tell("sampled", [&](nb::dict& d) {
    d["step"] = step;
    d["text"] = std::string(text);
  });
}

void PythonSink::noted(std::string_view lines) {
  text_->noted(lines);
  tell("noted", [&](nb::dict& d) { d["lines"] = std::string(lines); });
}

void PythonSink::warned(std::string_view message) {
  text_->warned(message);
  tell("warned", [&](nb::dict& d) { d["message"] = std::string(message); });
}

}  // namespace gyre::python
