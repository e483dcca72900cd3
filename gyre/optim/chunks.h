#pragma once
#include <cstdint>

#include "gyre/base/function_ref.h"
#include "gyre/op/op_def.h"

namespace gyre {

/// The elements of many tensors in chunks of fixed size, so that one parallel loop covers them all,
/// whatever their lengths. Chunks depend on the sizes only.
class Chunks {
 public:
  struct Chunk {
    size_t tensor;
    int64_t begin, count;  ///< elements
    int64_t number;        ///< index among all chunks
    /// The first element of the chunk in a contiguous tensor of the same size; null for an empty
    /// View.
    std::byte* in(const View& v) const {
      return v.data ? v.data + begin * static_cast<int64_t>(size_of(v.dtype)) : nullptr;
    }
  };

  /// The chunks of `tensors`. `scratch` holds scratch_bytes() of them.
  Chunks(std::span<const View> tensors, std::byte* scratch);
  /// For OpDef::scratch: what the chunks of all operands take, and a double for each of them.
  static size_t scratch_bytes(const void* attrs, Inputs in);

  /// Runs body(chunk) for all chunks on the thread pool.
  void run(FunctionRef<void(const Chunk& chunk)> body) const;
  /// The sum of body(chunk) over all chunks, in their order.
  double sum(FunctionRef<double(const Chunk& chunk)> body) const;

 private:
  std::span<const View> tensors_;
  int64_t* first_;  // number of the first chunk of each tensor, and of all chunks
  double* sums_;    // by chunk
};

}  // namespace gyre
