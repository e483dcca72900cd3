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
GYRE_FIELDS(LoaderOptions, GYRE_FIELD(batch, "examples a batch"),
            GYRE_FIELD(shuffle, "each epoch in an order of its own"),
            GYRE_FIELD(drop_last, "leave out the last batch of an epoch if it is smaller"),
            GYRE_FIELD(workers, "threads that make batches ahead; 0: next() makes them"),
            GYRE_FIELD(prefetch, "batches that each of them may be ahead"),
            GYRE_FIELD(seed, "of the orders, and of what the dataset draws"));

/// Batches of a dataset, numbered for ever: epoch after epoch, each with an order drawn by seed and
/// epoch. Batch i depends on dataset, options and i only, never on the number of workers or on what
/// was asked before, so that a training goes on where its cursor was.
///
/// Meant for one thread; the workers are the loader's own. In a forked child they start anew.
class DataLoader {
 public:
  /// Error{value} for batch below 1, workers outside [0, 256], prefetch outside [1, 256], and for a
  /// dataset without a single batch.
  DataLoader(std::shared_ptr<const Dataset> dataset, const LoaderOptions& options);
  DataLoader(const DataLoader&) = delete;
  DataLoader& operator=(const DataLoader&) = delete;
  ~DataLoader();

  [[nodiscard]] const LoaderOptions& options() const { return options_; }
  [[nodiscard]] const Dataset& dataset() const { return *dataset_; }
  [[nodiscard]] int64_t batches_per_epoch() const { return per_epoch_; }
  [[nodiscard]] int64_t epoch_of(int64_t number) const { return number / per_epoch_; }

  /// The examples of batch `number`. Error{index} for a negative one.
  [[nodiscard]] std::vector<int64_t> rows(int64_t number) const;
  /// Batch `number`, made here and now; the cursor stays. What the dataset draws comes from a
  /// generator seeded by seed and number.
  [[nodiscard]] Batch at(int64_t number) const;

  /// The batch at the cursor, which moves on. What the dataset throws comes out here, at the call
  /// whose batch it is; the cursor stays then, and the next call tries again.
  Batch next();
  /// The number of the batch that next() gives: all there is to save.
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
