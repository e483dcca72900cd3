#pragma once
#include <cstdint>
#include <vector>

#include "gyre/base/function_ref.h"
#include "gyre/embed/embed_options.h"
#include "gyre/embed/training/pair_batches.h"
#include "gyre/embed/training/point_table.h"

namespace gyre {

/// Replaces zeros in the options by defaults for the model and number of nodes.
EmbedOptions suited(EmbedOptions options, int64_t nodes);

/// Learning rate of an epoch, the step size of one pair: a batch makes the sum of its pairs' steps
/// (Nickel and Kiela 2017, section 3). A tenth of `lr` during burn-in, then from `lr` in linear
/// decay to a twentieth.
double embed_rate(const EmbedOptions& options, int64_t epoch);

/// Trains points so that nodes are closer to their ancestors than to negatives. The result depends
/// on the options and the initial points, never on the number of threads.
class EmbeddingTrainer {
 public:
  /// All must outlive this; the options are suited().
  EmbeddingTrainer(const Taxonomy& taxonomy, const EmbedOptions& options, PointTable& points);

  /// Completed batches of an epoch, and the loss summed over their pairs.
  struct Position {
    int64_t batch = 0;
    double loss = 0;
  };
  /// Continues to the end of the epoch and returns true, or false if `stop`, polled between
  /// batches, returns true before. At the end `loss` is the sum over all pairs and `batch` is 0.
  /// Reads nothing from the device but the loss, once.
  bool run_epoch(int64_t epoch, Position& position, FunctionRef<bool()> stop);

 private:
  void step(const PairBatch& batch, const Tensor& rate, const Tensor& loss);

  const EmbedOptions& options_;
  PointTable& points_;
  PairBatches batches_;
  std::vector<PairBatch> ahead_;
};

}  // namespace gyre
