#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/base/system/file.h"
#include "gyre/io/json.h"
#include "gyre/train/log/event_file.h"
#include "gyre/train/plot/loss_plot.h"
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
  void read(int64_t step);

  std::string path_, plot_path_;
  std::vector<LossPoint> training_, validation_;
  std::unique_ptr<LineLog> log_;
  EventFile events_;
};

/// The complete entries of a log.jsonl, in order. Error{io}.
std::vector<Json> read_training_log(const std::string& path);

}  // namespace gyre
