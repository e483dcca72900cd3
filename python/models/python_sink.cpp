#include "python/models/python_sink.h"

#include <cstdlib>

namespace gyre::python {

Watch::Watch(nb::object stream, nb::object watch)
    : stream_(std::move(stream)), watch_(std::move(watch)) {
  file_ = open_memstream(&written_, &bytes_);
  if (!file_) throw std::bad_alloc();
}

Watch::~Watch() {
  try {
    show();
  } catch (nb::python_error& e) {
    e.discard_as_unraisable("gyre");
  }
  std::fclose(file_);
  std::free(written_);
}

void Watch::show() {
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

void Watch::look_for_signals() {
  in_python([] {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  });
}

bool Watch::stop_wanted() {
  if (!stop_) look_for_signals();
  return stop_;
}

void TrainingSink::preparing(std::string_view stage, int64_t done, int64_t total) {
  watch_.look_for_signals();
  text_.preparing(stage, done, total);
  watch_.tell("preparing", [&](nb::dict& d) {
    d["stage"] = std::string(stage);
    d["done"] = done;
    d["total"] = total;
  });
}

void TrainingSink::stepped(const StepProgress& p) {
  text_.stepped(p);
  watch_.tell("stepped", [&](nb::dict& d) {
    d["step"] = p.step;
    d["total"] = p.total;
    d["loss"] = p.loss.item();
    d["lr"] = p.lr;
    d["gradient_norm"] = p.gradient_norm.item();
    d["tokens_per_second"] = p.tokens_per_second;
    d["memory_bytes"] = p.memory_bytes;
    d["elapsed"] = p.elapsed;
    d["remaining"] = p.remaining;
    d["skipped"] = p.skipped;
  });
}

void TrainingSink::validated(const Validation& v) {
  text_.validated(v);
  watch_.tell("validated", [&](nb::dict& d) {
    d["step"] = v.step;
    for (const FigureDef& f : kFigures) d[f.name] = v.figures.*f.value;
    d["best"] = v.best;
  });
}

void TrainingSink::saved(const std::string& checkpoint) {
  text_.saved(checkpoint);
  watch_.tell("saved", [&](nb::dict& d) { d["checkpoint"] = checkpoint; });
}

void TrainingSink::sampled(int64_t step, std::string_view text) {
  text_.sampled(step, text);
  watch_.tell("sampled", [&](nb::dict& d) {
    d["step"] = step;
    d["text"] = std::string(text);
  });
}

void EmbeddingSink::advanced(const EmbedProgress& p) {
  text_.advanced(p);
  watch_.tell("advanced", [&](nb::dict& d) {
    d["epoch"] = p.epoch;
    d["total"] = p.total;
    d["loss"] = p.loss;
    d["lr"] = p.lr;
    d["mean_rank"] = p.mean_rank;
    d["map"] = p.map;
    d["pairs_per_second"] = p.pairs_per_second;
    d["elapsed"] = p.elapsed;
    d["remaining"] = p.remaining;
  });
}

void EmbeddingSink::evaluated(int64_t epoch, const Reconstruction& figures, bool best) {
  text_.evaluated(epoch, figures, best);
  watch_.tell("evaluated", [&](nb::dict& d) {
    d["epoch"] = epoch;
    d["mean_rank"] = figures.mean_rank;
    d["map"] = figures.map;
    d["best"] = best;
  });
}

}  // namespace gyre::python
