#pragma once
#include <cstdint>
#include <vector>

#include "gyre/base/function_ref.h"
#include "gyre/embed/embed_options.h"
#include "gyre/embed/training/pair_batches.h"
#include "gyre/embed/training/point_table.h"

namespace gyre {

/// The numbers of a training (Nickel and Kiela 2017, section 3).
struct EmbeddingSchedule {
  int64_t epochs, negatives, batch, burn_in;
  double lr;        ///< the step that one pair makes: a batch makes the sum of its pairs' steps
  double final_lr;  ///< at the end, to which it falls in a straight line after burn-in
  uint64_t seed;

  /// During burn-in a tenth of `lr`.
  [[nodiscard]] double rate(int64_t epoch) const;
};

/// The options with what suits model and size in the place of zeros.
EmbedOptions suited(EmbedOptions options, int64_t nodes);
/// The numbers of a training with such options.
EmbeddingSchedule schedule_of(const EmbedOptions& options);

/// Moves points so that nodes are nearer to those above them than to others. The points depend on
/// the schedule and where they began, never on the number of threads.
class EmbeddingTrainer {
 public:
  /// Both must outlive this.
  EmbeddingTrainer(const Taxonomy& taxonomy, const EmbeddingSchedule& schedule, PointTable& points);

  /// Where a training stands.
  struct Position {
    int64_t epoch = 0;  ///< that are done
    int64_t batch = 0;  ///< of the next epoch
    double loss = 0;    ///< sum over the pairs of these batches
  };
  /// Goes on to the end of the epoch, or to the batch before which `stop`, asked now and then,
  /// says so. At the end of an epoch `loss` is the sum over all its pairs and `batch` is 0.
  void run_epoch(Position& position, FunctionRef<bool()> stop);

 private:
  double gradients_of(const PairBatch& batch);
  void move(const PairBatch& batch, double rate);

  EmbeddingSchedule schedule_;
  PointTable& points_;
  PairBatches batches_;
  std::vector<PairBatch> ahead_;
  // of the pairs and targets of one batch
  WideVector<double> toward_, along_, children_, child_gradients_;
  std::vector<double> losses_;
};

}  // namespace gyre
