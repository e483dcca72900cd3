#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "gyre/base/record.h"
#include "gyre/data/dataset.h"

namespace gyre {

struct LoaderOptions {
  int64_t batch = 32;
  bool shuffle = false;
  bool drop_last = false;
  int64_t workers = 0;
  int64_t prefetch = 2;
  int64_t seed = 0;
};
GYRE_FIELDS(LoaderOptions, GYRE_FIELD(batch, "batch_size: examples per batch"),
            GYRE_FIELD(shuffle, "reshuffle the examples at every epoch"),
            GYRE_FIELD(drop_last, "drop the last incomplete batch of each epoch"),
            GYRE_FIELD(workers, "num_workers: threads that load batches; 0: load in next()"),
            GYRE_FIELD(prefetch, "prefetch_factor: batches loaded in advance by each worker"),
            GYRE_FIELD(seed, "random seed of shuffling and of the dataset's own draws"));

/// An endless sequence of numbered batches of a dataset: epoch after epoch, each shuffled by seed
/// and epoch. Batch i depends only on dataset, options and i, not on the number of workers or on
/// earlier calls, so a training run resumes from its cursor.
///
/// Use from one thread; the workers belong to the loader. A forked child starts its own workers.
class DataLoader {
 public:
  /// Error{value} for batch below 1, workers outside [0, 256], prefetch outside [1, 256], and for a
  /// dataset too small for one batch.
  DataLoader(std::shared_ptr<const Dataset> dataset, const LoaderOptions& options);
  DataLoader(const DataLoader&) = delete;
  DataLoader& operator=(const DataLoader&) = delete;
  ~DataLoader();

  [[nodiscard]] const LoaderOptions& options() const { return options_; }
  [[nodiscard]] const Dataset& dataset() const { return *dataset_; }
  [[nodiscard]] int64_t batches_per_epoch() const { return per_epoch_; }
  [[nodiscard]] int64_t epoch_of(int64_t number) const { return number / per_epoch_; }

  /// The indices of the examples in batch `number`. Error{index} for a negative number.
  [[nodiscard]] std::vector<int64_t> rows(int64_t number) const;
  /// Batch `number`, loaded by the caller without moving the cursor. The dataset draws from a
  /// generator seeded by seed and number.
  [[nodiscard]] Batch at(int64_t number) const;

  /// The batch at the cursor, then advances it. An exception of the dataset is rethrown by the call
  /// that would return its batch; the cursor stays, so the next call retries.
  Batch next();
  /// The number of the batch that next() returns: the whole state to save.
  [[nodiscard]] int64_t cursor() const { return cursor_; }
  /// Sets the cursor. Error{index} for a negative number.
  void seek(int64_t number);

 private:
  class Workers;
  void start_over();

  std::shared_ptr<const Dataset> dataset_;
  LoaderOptions options_;
  int64_t per_epoch_ = 0, cursor_ = 0;
  std::unique_ptr<Workers> workers_;
};

}  // namespace gyre
