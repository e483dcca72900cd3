#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/base/system/file.h"
#include "gyre/io/json.h"
#include "gyre/train/log/event_file.h"
#include "gyre/train/plot/line_plot.h"
#include "gyre/train/progress/sink.h"

namespace gyre {

/// log.jsonl with one entry per line, loss.svg plotted from it, and the same values for TensorBoard
/// (event_file.h). Step entries have step, loss, lr, gradient_norm, tokens_per_second and elapsed;
/// validation entries have step and, as val_NAME, the metrics that were measured.
class TrainingLog {
 public:
  /// Opens the log and keeps entries up to `step`; later ones, written after the resumed
  /// checkpoint, are dropped. Error{io}.
  TrainingLog(const std::string& folder, int64_t step);

  void add(const StepProgress& progress);
  void add(const Validation& validation);
  /// A sample generated after `step` steps: an entry with step and sample. Error{io}.
  void add_sample(int64_t step, std::string_view text);
  /// Plots loss.svg.
  void draw() const;

 private:
  std::string plot_path_;
  std::vector<PlotPoint> training_, validation_;
  std::optional<LineLog> log_;
  EventFile events_;
};

/// The complete entries of a log.jsonl that have `counter`, in order. Error{io}.
std::vector<Json> read_training_log(const std::string& path, const char* counter = "step");
/// Drops entries of later steps, written after the resumed checkpoint, and incomplete ones from the
/// file, if there is one, and returns the others. Error{io}.
std::vector<Json> resume_log(const std::string& path, int64_t step, const char* counter = "step");

}  // namespace gyre
