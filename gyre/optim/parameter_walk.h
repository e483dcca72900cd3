#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "gyre/base/function_ref.h"
#include "gyre/optim/optim_tile.h"
#include "gyre/tensor/tensor.h"

namespace gyre {

/// Cuts many tensors into chunks of fixed size, so that one parallel loop serves them all, however
/// long or short they are. Chunks depend on the sizes only.
class ParameterWalk {
 public:
  struct Chunk {
    size_t parameter;
    int64_t begin, count;  ///< elements
  };

  /// Appends the chunks of one more parameter.
  void add(int64_t elements);
  [[nodiscard]] size_t parameters() const { return first_.size(); }

  /// Runs body(chunk, number of the chunk) for all, on the threads of the pool.
  void run(FunctionRef<void(const Chunk& chunk, int64_t number)> body) const;
  /// The same for the chunks of one parameter.
  void run(size_t parameter, FunctionRef<void(const Chunk& chunk)> body) const;
  /// The sum of body(chunk) over all, in the order of the chunks whatever the threads.
  double sum(FunctionRef<double(const Chunk& chunk)> body) const;

 private:
  std::vector<Chunk> chunks_;
  std::vector<size_t> first_;  // chunk of each parameter
  mutable std::vector<double> sums_;
};

/// The tiles of the instruction set in use.
const OptimTiles& optim_tiles();

/// The square root of the sum of squares of all gradients, empty ones left out. Error{dtype} for
/// gradients that are neither f32 nor f64.
double gradient_norm(const ParameterWalk& walk, std::span<const Tensor> gradients);

}  // namespace gyre
