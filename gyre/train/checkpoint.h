#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "gyre/base/philox.h"
#include "gyre/io/json.h"
#include "gyre/io/safetensors.h"
#include "gyre/train/progress/figures.h"

namespace gyre {

struct Error;

/// Where a training stands, apart from tensors.
struct TrainState {
  int64_t step = 0;                                            ///< optimiser steps done
  int64_t cursor = 0;                                          ///< batches drawn
  double best_loss = std::numeric_limits<double>::infinity();  ///< of the validations so far
  int64_t best_step = 0;
  double train_loss = Figures::kNone;  ///< of the last step
  Figures val{};                       ///< of the last validation
  bool validation_due = false;         ///< after this step, and it was interrupted
  int64_t worse = 0;                   ///< validations since the best
  Json loss_scale{};                   ///< a LossScaleState, or null
  Generator random{};
  uint64_t data = 0;  ///< checksum of the data, so that a training goes on with the same
  Json options{};     ///< what the training was told
};

/// The folder `checkpoints/` of a training: one folder `step-N/` a checkpoint. A folder appears
/// under its name when it is whole, and one that is replaced is kept under another name until then.
/// It holds training.json, optimizer.safetensors, average.safetensors if weights are averaged, and
/// what the task writes of the model; every
/// file can be told from a damaged one.
class CheckpointStore {
 public:
  explicit CheckpointStore(std::string folder) : folder_(std::move(folder)) {}

  /// Steps of the checkpoints there are, ascending. Error{io}.
  [[nodiscard]] std::vector<int64_t> steps() const;
  [[nodiscard]] std::string path(int64_t step) const;

  /// Gives back the checkpoints that a process was replacing when it was killed: for who writes
  /// here, before it reads. Error{io}.
  void recover() const;
  /// Begins a checkpoint: an empty folder to write the model into. Error{io}.
  std::string begin() const;
  /// Adds state, optimiser and averaged weights, if there are, to what `begin` gave, and puts the
  /// folder in its place. Then those of later steps, which the training has gone back from, are
  /// removed, and of the others all but the newest three and the best. Error{io}.
  void commit(const TrainState& state, std::span<const NamedTensor> optimizer,
              std::span<const NamedTensor> average = {}) const;

  /// Removes what `begin` began and `commit` did not end; what it was to replace stays.
  void abandon() const noexcept;

  /// Reads a checkpoint's state. With it all bytes of the checkpoint have been checked. Errors:
  /// those of is_damage; io; unsupported, for one of another format.
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

/// Whether an Error of CheckpointStore::read says that bytes are not those that were written, and
/// not that they could not be read, or that another program may know them.
bool is_damage(const Error& error);

}  // namespace gyre
