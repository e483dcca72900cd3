#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gyre/base/system/file.h"
#include "gyre/train/progress/sink.h"

namespace gyre {

/// What a training tells TensorBoard: a file `events.out.tfevents.TIME.HOST.gyre[.N]` of TFRecords
/// (length, masked CRC-32C, bytes) of Event messages, version "brain.Event:2" (TensorFlow's
/// core/util/event.proto). TensorBoard reads all files of a folder, in order of their names, as one
/// training.
///
/// Each event is one write, so a process that is killed leaves whole events.
class EventFile {
 public:
  /// Begins a new file in `folder`, which must exist. `done` steps of the training are done: what
  /// files before it say of later steps, of a training that went further than its checkpoint, is
  /// void for TensorBoard. Error{io}.
  EventFile(const std::string& folder, int64_t done);

  /// loss, lr, gradient_norm and tokens_per_second of a step. Error{io}.
  void add(const StepProgress& progress);
  /// val_loss and the other figures that were measured. Error{io}.
  void add(const Validation& validation);
  /// One number, which TensorBoard keeps as f32. Error{io}.
  void scalar(std::string_view tag, int64_t step, double value);
  /// A text, such as a sample that a model writes; TensorBoard takes it for Markdown. Error{io}.
  void text(std::string_view tag, int64_t step, std::string_view text);

  [[nodiscard]] const std::string& path() const { return file_->path(); }

 private:
  void event(int64_t step, std::string_view field);

  std::optional<GrowingFile> file_;
};

}  // namespace gyre
