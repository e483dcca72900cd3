#include "gyre/embed/training/embedding_trainer.h"

#include <algorithm>
#include <cmath>

#include "gyre/base/thread_pool.h"
#include "gyre/embed/training/embed_tile.h"

namespace gyre {
namespace {

constexpr int64_t kManyNodes = 5000;
constexpr double kBurnIn = 0.1;            // factor of the learning rate
constexpr int64_t kSoon = 4;               // rows to prefetch ahead
constexpr int64_t kAhead = 8;              // batches made at once
constexpr int64_t kPairs = 8, kRows = 64;  // chunk sizes for threads

// With many points, most rows are not in a near cache.
void prefetch(const PointRows& points, uint32_t node) {
  constexpr int64_t kLine = 8;
  const double* row = points.rows + node * points.stride;
  for (int64_t i = 0; i < points.stride; i += kLine) __builtin_prefetch(row + i);
}

}  // namespace

EmbedOptions suited(EmbedOptions o, int64_t nodes) {
  const bool euclidean = o.model == Geometry::euclidean, many = nodes > kManyNodes;
  // in two dimensions points move around each other slowly
  if (o.epochs == 0) o.epochs = euclidean || many || o.dim > 2 ? 300 : 500;
  // With more nodes, points move farther out; and the root, which is in every pair, moves by the
  // sum over a batch.
  if (o.lr == 0) o.lr = euclidean ? 0.3 : many ? 0.1 : 0.07;
  if (o.batch_size == 0) o.batch_size = std::clamp<int64_t>(nodes / 20, 16, 64);
  return o;
}

EmbeddingSchedule schedule_of(const EmbedOptions& o) {
  return {.epochs = o.epochs,
          .negatives = o.negatives,
          .batch = o.batch_size,
          .burn_in = o.burn_in,
          .lr = o.lr,
          .final_lr = o.lr / 20,
          .seed = static_cast<uint64_t>(o.run.seed)};
}

double EmbeddingSchedule::rate(int64_t epoch) const {
  if (epoch < burn_in) return lr * kBurnIn;
  const int64_t steps = epochs - 1 - burn_in;
  if (steps <= 0) return lr;
  const double done = static_cast<double>(epoch - burn_in) / static_cast<double>(steps);
  return lr + (final_lr - lr) * std::min(done, 1.0);
}

EmbeddingTrainer::EmbeddingTrainer(const Taxonomy& taxonomy, const EmbeddingSchedule& schedule,
                                   PointTable& points)
    : schedule_(schedule),
      points_(points),
      batches_(taxonomy, schedule.batch, schedule.negatives, schedule.seed),
      ahead_(kAhead) {
  const auto pairs = static_cast<size_t>(std::min(schedule.batch, taxonomy.pairs()));
  toward_.resize(pairs * static_cast<size_t>(batches_.slots()));
  along_.resize(toward_.size());
  child_gradients_.resize(pairs * static_cast<size_t>(points.rows().stride));
  children_.resize(child_gradients_.size());
  losses_.resize(pairs);
}

double EmbeddingTrainer::gradients_of(const PairBatch& batch) {
  const PointRows rows = points_.rows();
  const EmbedTile& tile = points_.geometry() == Geometry::euclidean ? embed_tiles().euclidean
                                                                    : embed_tiles().hyperbolic;
  const int64_t slots = batches_.slots();
  const auto pairs = static_cast<int64_t>(batch.children.size());
  parallel_for(pairs, kPairs, [&](int64_t begin, int64_t end) {
    auto* scratch = reinterpret_cast<double*>(
        thread_scratch(static_cast<size_t>(pair_scratch_bytes(rows.dim, slots))));
    for (int64_t p = begin; p < end; ++p) {
      const auto pair = static_cast<size_t>(p);
      if (p + 1 < end) {
        for (int64_t t = 0; t < slots; ++t) prefetch(rows, batch.targets[(p + 1) * slots + t]);
      }
      losses_[pair] = 0;
      if (batch.counts[pair] == 1) continue;
      const uint32_t child = batch.children[pair];
      std::copy_n(points_.row(child), rows.stride, children_.data() + p * rows.stride);
      const PairLoss loss =
          tile.pair(rows, child, batch.targets.data() + p * slots, batch.counts[pair], scratch,
                    {toward_.data() + p * slots, along_.data() + p * slots},
                    child_gradients_.data() + p * rows.stride);
      losses_[pair] = std::log(loss.sum) + loss.excess;
    }
  });
  double sum = 0;
  for (int64_t p = 0; p < pairs; ++p) sum += losses_[static_cast<size_t>(p)];
  return sum;
}

void EmbeddingTrainer::move(const PairBatch& batch, double rate) {
  const PointRows rows = points_.rows();
  const TargetGradients gradients{toward_.data(), along_.data()};
  parallel_for(static_cast<int64_t>(batch.rows.size()), kRows, [&](int64_t begin, int64_t end) {
    auto* gradient = reinterpret_cast<double*>(
        thread_scratch(static_cast<size_t>(rows.stride) * sizeof(double)));
    for (int64_t r = begin; r < end; ++r) {
      if (r + kSoon < end) prefetch(rows, batch.rows[static_cast<size_t>(r + kSoon)]);
      const uint32_t row = batch.rows[static_cast<size_t>(r)], *part = batch.begins.data() + r;
      embed_tiles().row(rows, row, batch.entries.data() + part[0], part[1] - part[0], gradients,
                        children_.data(), child_gradients_.data(), gradient);
      points_.step(row, gradient, rate);
    }
  });
}

void EmbeddingTrainer::run_epoch(Position& at, FunctionRef<bool()> stop) {
  const bool burning = at.epoch < schedule_.burn_in;
  const auto by = burning ? NegativeSampler::By::frequency : NegativeSampler::By::equal;
  const double rate = schedule_.rate(at.epoch);
  while (at.batch < batches_.count()) {
    if (stop()) return;
    const int64_t count = std::min(kAhead, batches_.count() - at.batch);
    parallel_for(count, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        batches_.make(at.epoch, at.batch + i, by, ahead_[static_cast<size_t>(i)]);
      }
    });
    if (at.batch == 0) at.loss = 0;
    for (int64_t i = 0; i < count; ++i) {
      const PairBatch& batch = ahead_[static_cast<size_t>(i)];
      at.loss += gradients_of(batch);
      move(batch, rate);
    }
    at.batch += count;
  }
  at.batch = 0;
  ++at.epoch;
}

}  // namespace gyre
