#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "gyre/base/function_ref.h"
#include "gyre/optim/optim_tile.h"
#include "gyre/tensor/tensor.h"

namespace gyre {

/// Splits many tensors into chunks of fixed size, so that one parallel loop covers them all,
/// whatever their lengths. Chunks depend on the sizes only.
class ParameterWalk {
 public:
  struct Chunk {
    size_t parameter;
    int64_t begin, count;  ///< elements
  };

  /// Appends the chunks of another parameter.
  void add(int64_t elements);
  [[nodiscard]] size_t parameters() const { return first_.size(); }

  /// Runs body(chunk, index of the chunk) for all chunks on the thread pool.
  void run(FunctionRef<void(const Chunk& chunk, int64_t number)> body) const;
  /// The same for the chunks of one parameter.
  void run(size_t parameter, FunctionRef<void(const Chunk& chunk)> body) const;
  /// The sum of body(chunk) over all chunks, always in chunk order.
  double sum(FunctionRef<double(const Chunk& chunk)> body) const;

 private:
  std::vector<Chunk> chunks_;
  std::vector<size_t> first_;  // chunk of each parameter
  mutable std::vector<double> sums_;
};

/// The elements of a chunk in a contiguous tensor.
std::byte* elements(const Tensor& t, const ParameterWalk::Chunk& chunk);

/// The tiles for the instruction set in use.
const OptimTiles& optim_tiles();
/// The tile for parameters of a floating dtype and gradients of the same dtype, or f32 gradients of
/// 16-bit parameters.
const StepTile& step_tile(DType parameter, DType gradient);
/// The tile for arrays of a floating dtype.
const ArrayTile& array_tile(DType dtype);

}  // namespace gyre
