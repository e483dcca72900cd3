#pragma once
#include <cstdint>
#include <vector>

#include "gyre/base/function_ref.h"
#include "gyre/embed/embed_options.h"
#include "gyre/embed/training/pair_batches.h"
#include "gyre/embed/training/point_table.h"

namespace gyre {

/// Hyperparameters of training (Nickel and Kiela 2017, section 3).
struct EmbeddingSchedule {
  int64_t epochs, negatives, batch, burn_in;
  double lr;        ///< step size of one pair: a batch makes the sum of its pairs' steps
  double final_lr;  ///< at the end, reached by linear decay after burn-in
  uint64_t seed;

  /// Learning rate of an epoch; a tenth of `lr` during burn-in.
  [[nodiscard]] double rate(int64_t epoch) const;
};

/// Replaces zeros in the options by defaults for the model and number of nodes.
EmbedOptions suited(EmbedOptions options, int64_t nodes);
/// The schedule of these options.
EmbeddingSchedule schedule_of(const EmbedOptions& options);

/// Trains points so that nodes are closer to their ancestors than to negatives. The result depends
/// on the schedule and the initial points, never on the number of threads.
class EmbeddingTrainer {
 public:
  /// Both must outlive this.
  EmbeddingTrainer(const Taxonomy& taxonomy, const EmbeddingSchedule& schedule, PointTable& points);

  /// Position in a training run.
  struct Position {
    int64_t epoch = 0;  ///< completed epochs
    int64_t batch = 0;  ///< completed batches of the next epoch
    double loss = 0;    ///< summed over the pairs of these batches
  };
  /// Continues to the end of the epoch, or until `stop`, polled between batches, returns true. At
  /// the end of an epoch `loss` is the sum over all its pairs and `batch` is 0.
  void run_epoch(Position& position, FunctionRef<bool()> stop);

 private:
  double gradients_of(const PairBatch& batch);
  void move(const PairBatch& batch, double rate);

  EmbeddingSchedule schedule_;
  PointTable& points_;
  PairBatches batches_;
  std::vector<PairBatch> ahead_;
  // per pair and target of one batch
  WideVector<double> toward_, along_, children_, child_gradients_;
  std::vector<double> losses_;
};

}  // namespace gyre
