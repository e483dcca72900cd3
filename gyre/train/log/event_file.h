#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gyre/base/system/file.h"
#include "gyre/train/progress/sink.h"

namespace gyre {

/// TensorBoard events of a training run: a file `events.out.tfevents.TIME.HOST.gyre[.N]` of
/// TFRecords (length, masked CRC-32C, bytes) of Event messages, version "brain.Event:2"
/// (TensorFlow's core/util/event.proto). TensorBoard reads all files of a folder, in order of their
/// names, as one run.
///
/// Each event is one write, so a killed process leaves only complete events.
class EventFile {
 public:
  /// Creates a file in `folder`, which must exist. `done` steps of the run are done: TensorBoard
  /// discards events of later steps in earlier files, written after the resumed checkpoint.
  /// Error{io}.
  EventFile(const std::string& folder, int64_t done);

  /// loss, lr, gradient_norm and tokens_per_second of a step. Error{io}.
  void add(const StepProgress& progress);
  /// val_loss and the other metrics that were measured. Error{io}.
  void add(const Validation& validation);
  /// A scalar, which TensorBoard keeps as f32. Error{io}.
  void scalar(std::string_view tag, int64_t step, double value);
  /// A text, such as a generated sample; TensorBoard renders it as Markdown. Error{io}.
  void text(std::string_view tag, int64_t step, std::string_view text);

  [[nodiscard]] const std::string& path() const { return file_->path(); }

 private:
  void event(int64_t step, std::string_view field);

  std::optional<GrowingFile> file_;
};

}  // namespace gyre
