#include "gyre/optim/parameter_walk.h"

#include <algorithm>
#include <cmath>

#include "gyre/base/error.h"
#include "gyre/base/thread_pool.h"
#include "gyre/kernel/per_isa.h"

namespace gyre {

GYRE_DECLARE_TILES(OptimTiles, optim)

namespace {

// The four arrays of a step take 256 KiB a chunk: long enough for the prefetchers, short enough for
// even shares.
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

double gradient_norm(const ParameterWalk& walk, std::span<const Tensor> gradients) {
  for (const Tensor& g : gradients) {
    if (g.defined() && g.dtype() != DType::f32 && g.dtype() != DType::f64) {
      throw Error(Code::dtype, "gradient_norm",
                  std::string("gradients are f32 or f64, one is ") + name_of(g.dtype()),
                  "f32 or f64", name_of(g.dtype()));
    }
  }
  const OptimTiles& tiles = optim_tiles();
  double squares = walk.sum([&](const ParameterWalk::Chunk& c) {
    const Tensor& g = gradients[c.parameter];
    if (!g.defined()) return 0.0;
    return g.dtype() == DType::f32 ? tiles.f32.squares(g.data<float>() + c.begin, c.count)
                                   : tiles.f64.squares(g.data<double>() + c.begin, c.count);
  });
  return std::sqrt(squares);
}

}  // namespace gyre
