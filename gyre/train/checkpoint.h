#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gyre/base/function_ref.h"
#include "gyre/io/json.h"
#include "gyre/io/safetensors.h"
#include "gyre/train/loop.h"

namespace gyre {

struct Error;

/// State of a training run, apart from tensors.
struct TrainState : LoopState {
  int64_t cursor = 0;                    ///< batches consumed
  double train_loss = Figures::kNone;    ///< of the last step
  Figures val{};                         ///< of the last validation
  double initial_loss = Figures::kNone;  ///< of a validation before the first step
  Json loss_scale{};                     ///< a LossScaleState, or null
  uint64_t seed = 0;                     ///< of random numbers, with the number of a batch
  bool chained = false;  ///< read only: an older version, in which batches shared one generator
  uint64_t data = 0;     ///< checksum of the data, checked on resume
  Json options{};        ///< options of the run
};

/// The folder `checkpoints/` of a training run, with one folder `step-N/` per checkpoint. A folder
/// gets its name once it is complete; a checkpoint being replaced keeps another name until then.
/// A checkpoint holds training.json, optimizer.safetensors, average.safetensors if weights are
/// averaged, and the model files that the task writes. training.json holds the checksums of all
/// other files, so files of another checkpoint are noticed, too.
class CheckpointStore {
 public:
  explicit CheckpointStore(std::string folder) : folder_(std::move(folder)) {}

  /// Steps of the existing checkpoints, ascending. Error{io}.
  [[nodiscard]] std::vector<int64_t> steps() const;
  [[nodiscard]] std::string path(int64_t step) const;

  /// Restores checkpoints that a killed process was replacing; writers call it before reading.
  /// Error{io}.
  void recover() const;
  /// Writes a checkpoint; `write_model` writes the model into an empty folder, `average` are the
  /// averaged weights, if any. Then removes checkpoints of later steps (from before a rollback) and
  /// all others except the newest three and the best. Error{io} and those of `write_model`; then
  /// the checkpoint that was to be replaced stays.
  void write(const TrainState& state, FunctionRef<void(const std::string& folder)> write_model,
             std::span<const NamedTensor> optimizer,
             std::span<const NamedTensor> average = {}) const;

  /// Reads a checkpoint's state and verifies all of its files. Errors: those of is_damage; io;
  /// unsupported for another format version.
  [[nodiscard]] TrainState read(int64_t step) const;
  [[nodiscard]] std::vector<NamedTensor> read_optimizer(int64_t step) const;
  [[nodiscard]] std::vector<NamedTensor> read_average(int64_t step) const;

 private:
  [[nodiscard]] std::string partial() const { return folder_ + "/.partial"; }
  [[nodiscard]] std::string replaced(int64_t step) const;
  void remove(int64_t step) const;
  void remove_others(const TrainState& newest) const;

  std::string folder_;
};

/// Whether an Error of CheckpointStore::read means corrupted bytes, not an I/O failure or an
/// unsupported format version.
bool is_damage(const Error& error);

}  // namespace gyre
