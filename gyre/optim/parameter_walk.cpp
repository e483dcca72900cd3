#include "gyre/optim/parameter_walk.h"

#include <algorithm>

#include "gyre/base/thread_pool.h"
#include "gyre/kernel/per_isa.h"

namespace gyre {

GYRE_DECLARE_TILES(OptimTiles, optim)

namespace {

// The four arrays of a step take 256 KiB per chunk: long enough for hardware prefetching, short
// enough for load balance.
constexpr int64_t kChunk = 16384;

}  // namespace

void ParameterWalk::add(int64_t elements) {
  first_.push_back(chunks_.size());
  for (int64_t i = 0; i < elements; i += kChunk) {
    chunks_.push_back({first_.size() - 1, i, std::min(kChunk, elements - i)});
  }
  sums_.resize(chunks_.size());
}

void ParameterWalk::run(FunctionRef<void(const Chunk&, int64_t)> body) const {
  parallel_for(static_cast<int64_t>(chunks_.size()), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) body(chunks_[static_cast<size_t>(i)], i);
  });
}

void ParameterWalk::run(size_t parameter, FunctionRef<void(const Chunk&)> body) const {
  size_t first = first_[parameter];
  size_t end = parameter + 1 < first_.size() ? first_[parameter + 1] : chunks_.size();
  parallel_for(static_cast<int64_t>(end - first), 1, [&](int64_t begin, int64_t last) {
    for (int64_t i = begin; i < last; ++i) body(chunks_[first + static_cast<size_t>(i)]);
  });
}

double ParameterWalk::sum(FunctionRef<double(const Chunk&)> body) const {
  run([&](const Chunk& chunk, int64_t i) { sums_[static_cast<size_t>(i)] = body(chunk); });
  double total = 0;
  for (double part : sums_) total += part;
  return total;
}

const OptimTiles& optim_tiles() {
  static constexpr PerIsa<OptimTiles> kTiles = GYRE_TILES_OF(optim);
  return *kTiles[isa()];
}

std::byte* elements(const Tensor& t, const ParameterWalk::Chunk& chunk) {
  return t.bytes() + chunk.begin * static_cast<int64_t>(size_of(t.dtype()));
}

const StepTile& step_tile(DType parameter, DType gradient) {
  const OptimTiles& tiles = optim_tiles();
  switch (parameter) {
    case DType::f16:
      return gradient == DType::f16 ? tiles.step_f16 : tiles.step_f16_along_f32;
    case DType::bf16:
      return gradient == DType::bf16 ? tiles.step_bf16 : tiles.step_bf16_along_f32;
    case DType::f32:
      return tiles.step_f32;
    default:
      return tiles.step_f64;
  }
}

const ArrayTile& array_tile(DType dtype) {
  const OptimTiles& tiles = optim_tiles();
  switch (dtype) {
    case DType::f16:
      return tiles.f16;
    case DType::bf16:
      return tiles.bf16;
    case DType::f32:
      return tiles.f32;
    default:
      return tiles.f64;
  }
}

}  // namespace gyre
