#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "gyre/base/philox.h"
#include "gyre/base/record.h"
#include "gyre/data/dataset.h"

namespace gyre {

struct LoaderOptions {
  int64_t batch_size = 32;
  bool shuffle = false;
  bool drop_last = false;
  int64_t num_workers = 0;
  int64_t prefetch_factor = 2;
  int64_t seed = 0;
};
GYRE_FIELDS(LoaderOptions,
            GYRE_FIELD(batch_size, "examples per batch", .alias = "batch", .least = 1),
            GYRE_FIELD(shuffle, "reshuffle the examples at every epoch"),
            GYRE_FIELD(drop_last, "drop the last incomplete batch of each epoch"),
            GYRE_FIELD(num_workers, "threads that load batches; 0: load in next()",
                       .alias = "workers", .least = 0, .most = 256),
            GYRE_FIELD(prefetch_factor, "batches loaded in advance by each worker",
                       .alias = "prefetch", .least = 1, .most = 256),
            GYRE_FIELD(seed, "random seed of shuffling and of the dataset's own draws"));

/// Batches of a dataset, numbered from 0, without end: one epoch follows the other, each with a
/// permutation of the examples that depends on seed and epoch. Batch i depends on dataset, options
/// and i only, not on the number of workers or on earlier calls, so a training run that saves the
/// cursor resumes with the same batches. They hold the examples that the dataset had when the
/// loader was created, not later ones; when it has fewer, rows(), at() and next() throw
/// Error{value}.
///
/// A loader must be used from one thread at a time, except for at(); with workers, the dataset is
/// read from theirs. A forked child process starts workers of its own.
class DataLoader {
 public:
  /// Error{value} for options out of bounds and for a dataset that is empty or, with drop_last,
  /// smaller than a batch.
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
  /// The generator from which random ops in the dataset draw while batch `number` is loaded, seeded
  /// by seed and number.
  [[nodiscard]] Generator generator_of(int64_t number) const;
  /// Batch `number`, loaded in the calling thread; the cursor stays. May be called from several
  /// threads at once. Error{index} for a negative number.
  [[nodiscard]] Batch at(int64_t number) const;

  /// Returns the batch at the cursor and advances the cursor. If the dataset throws an exception
  /// while a batch is loaded, the call that would return this batch rethrows it; the cursor stays,
  /// so the next call tries again.
  Batch next();
  /// The number of the batch that next() returns. It is the whole state of a loader to save.
  [[nodiscard]] int64_t cursor() const { return cursor_; }
  /// Sets the cursor. Error{index} for a negative number.
  void seek(int64_t number);

 private:
  class Workers;
  void start_over();

  std::shared_ptr<const Dataset> dataset_;
  LoaderOptions options_;
  int64_t size_, per_epoch_ = 0, cursor_ = 0;
  std::unique_ptr<Workers> workers_;
};

}  // namespace gyre
