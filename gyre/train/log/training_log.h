#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/base/system/file.h"
#include "gyre/io/json.h"
#include "gyre/train/log/event_file.h"
#include "gyre/train/progress/sink.h"
#include "gyre/train/report/loss_plot.h"

namespace gyre {

/// log.jsonl, a line an entry, loss.svg, drawn from it, and the same numbers for TensorBoard
/// (event_file.h). Steps have step, loss, lr, gradient_norm, tokens_per_second and elapsed,
/// validations step and, as val_NAME, the figures that were measured.
class TrainingLog {
 public:
  /// Goes on with what the log says up to `step`; later entries, of a training that went further
  /// than its checkpoint, are dropped. Error{io}.
  TrainingLog(const std::string& folder, int64_t step);

  void add(const StepProgress& progress);
  void add(const Validation& validation);
  /// A text that the model writes after `step` steps: an entry with step and sample. Error{io}.
  void add_sample(int64_t step, std::string_view text);
  /// Draws loss.svg.
  void draw() const;

 private:
  void read(int64_t step);

  std::string path_, plot_path_;
  std::vector<LossPoint> training_, validation_;
  std::unique_ptr<LineLog> log_;
  EventFile events_;
};

/// The entries of a log.jsonl that are whole, in their order. Error{io}.
std::vector<Json> read_training_log(const std::string& path);

}  // namespace gyre
