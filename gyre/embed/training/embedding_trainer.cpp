#include "gyre/embed/training/embedding_trainer.h"

#include <algorithm>

#include "gyre/base/thread_pool.h"
#include "gyre/op/apply.h"
#include "gyre/ops/create/create.h"

namespace gyre {
namespace {

constexpr int64_t kManyNodes = 5000;
constexpr double kBurnIn = 0.1, kDecay = 20;  // factor and final divisor of the learning rate
constexpr int64_t kAhead = 8;                 // batches made at once

// The memory of a batch as a matrix of two or more columns, copied if the device is not the host.
template <class T>
Tensor lent(const std::vector<T>& rows, int64_t columns, Device device) {
  const auto words = static_cast<int64_t>(rows.size() * sizeof(T) / sizeof(int32_t));
  const Shape shape{words / columns, columns};
  return on_device(borrow(const_cast<T*>(rows.data()), {shape, DType::i32, {}, false}, {columns, 1},
                          nullptr, nullptr),
                   device);
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

double embed_rate(const EmbedOptions& o, int64_t epoch) {
  if (epoch < o.burn_in) return o.lr * kBurnIn;
  const int64_t steps = o.epochs - 1 - o.burn_in;
  if (steps <= 0) return o.lr;
  const double done = static_cast<double>(epoch - o.burn_in) / static_cast<double>(steps);
  return o.lr + (o.lr / kDecay - o.lr) * std::min(done, 1.0);
}

EmbeddingTrainer::EmbeddingTrainer(const Taxonomy& taxonomy, const EmbedOptions& options,
                                   PointTable& points)
    : options_(options), points_(points), batches_(taxonomy, options), ahead_(kAhead) {}

void EmbeddingTrainer::step(const PairBatch& batch, const Tensor& rate, const Tensor& loss) {
  if (batch.pairs.empty()) return;
  const Device device = rate.device();
  const Tensor in[] = {points_.rows(), rate, lent(batch.pairs, batches_.width(), device),
                       lent(batch.rows, 2, device), lent(batch.entries, 2, device)};
  const Tensor out[] = {points_.rows(), points_.space(), loss};
  write(embed_step_of(points_.geometry()), in, out);
}

bool EmbeddingTrainer::run_epoch(int64_t epoch, Position& at, FunctionRef<bool()> stop) {
  const TensorOptions number{.dtype = DType::f64, .device = points_.rows().device()};
  const Tensor rate = full({1}, embed_rate(options_, epoch), number);
  const Tensor loss = full({1}, at.batch == 0 ? 0 : at.loss, number);
  while (at.batch < batches_.count() && !stop()) {
    const int64_t count = std::min(kAhead, batches_.count() - at.batch);
    parallel_for(count, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        batches_.make(epoch, at.batch + i, ahead_[static_cast<size_t>(i)]);
      }
    });
    for (int64_t i = 0; i < count; ++i) step(ahead_[static_cast<size_t>(i)], rate, loss);
    at.batch += count;
  }
  at.loss = loss.item();
  if (at.batch < batches_.count()) return false;
  at.batch = 0;
  return true;
}

}  // namespace gyre
