#include "gyre/optim/chunks.h"

#include <algorithm>

#include "gyre/base/thread_pool.h"

namespace gyre {
namespace {

// The four arrays of a step take 256 KiB per chunk: long enough for hardware prefetching, short
// enough for load balance.
constexpr int64_t kChunk = 16384;

int64_t chunks_of(int64_t elements) { return (elements + kChunk - 1) / kChunk; }

}  // namespace

Chunks::Chunks(std::span<const View> tensors, std::byte* scratch)
    : tensors_(tensors), first_(reinterpret_cast<int64_t*>(scratch)) {
  first_[0] = 0;
  for (size_t i = 0; i < tensors.size(); ++i)
    first_[i + 1] = first_[i] + chunks_of(numel(tensors[i].shape));
  sums_ = reinterpret_cast<double*>(first_ + tensors.size() + 1);
}

size_t Chunks::scratch_bytes(const void*, Inputs in) {
  int64_t all = 1;
  for (const Tensor& t : in) all += 1 + chunks_of(t.numel());
  return static_cast<size_t>(all) * sizeof(int64_t);
}

void Chunks::run(FunctionRef<void(const Chunk&)> body) const {
  const int64_t *first = first_, *end = first + tensors_.size();
  parallel_for(*end, 1, [&](int64_t number, int64_t last) {
    for (; number < last; ++number) {
      auto tensor = static_cast<size_t>(std::upper_bound(first, end, number) - first - 1);
      int64_t begin = (number - first[tensor]) * kChunk;
      body(Chunk{tensor, begin, std::min(kChunk, numel(tensors_[tensor].shape) - begin), number});
    }
  });
}

double Chunks::sum(FunctionRef<double(const Chunk&)> body) const {
  run([&](const Chunk& chunk) { sums_[chunk.number] = body(chunk); });
  double total = 0;
  for (int64_t i = 0; i < first_[tensors_.size()]; ++i) total += sums_[i];
  return total;
}

}  // namespace gyre
