#pragma once
#include <atomic>
#include <cstddef>
#include <thread>

#include "gyre/base/function_ref.h"
#include "gyre/packed/codec/codec.h"

// Formats that are functions of a whole matrix: for comparison with rings, and for files of others.
// Their bytes are the words of a packed tensor, filled up with zeros.

namespace gyre {

struct MatrixSize {
  int64_t rows, cols;
};

struct BlockKernels;

/// Tells a caller how many weights of a matrix are encoded, from the threads that do it.
class WeightsDone {
 public:
  /// `done(weights so far)` is called on the thread that makes this; what it throws, add() throws.
  explicit WeightsDone(FunctionRef<void(int64_t)> done) : done_(done) {}
  void add(int64_t weights) {
    weights_ += weights;
    if (std::this_thread::get_id() == caller_) done_(weights_);
  }

 private:
  FunctionRef<void(int64_t)> done_;
  std::thread::id caller_ = std::this_thread::get_id();
  std::atomic<int64_t> weights_ = 0;
};

/// What a format does. The bytes do not depend on the number of threads.
struct MatrixFunctions {
  int64_t (*bytes)(const MatrixSize& size);
  /// x: finite numbers [rows, cols]. `to` holds zeros. For numbers that are too large fault() finds
  /// what it has written.
  void (*encode)(const MatrixSize& size, const float* x, std::byte* to, WeightsDone& done);
  /// Rows `first` to `first + count` of the numbers.
  void (*decode)(const MatrixSize& size, const std::byte* from, int64_t first, int64_t count,
                 float* to);
  /// What is wrong with bytes; null if they give finite numbers.
  const char* (*fault)(const MatrixSize& size, const std::byte* from);

  /// Bytes of a row, where rows follow one another and mean the same alone; else null.
  int64_t (*row_bytes)(int64_t cols) = nullptr;
  /// The kernels of a format of GGUF's blocks (packed/codec/row_block_tiles.h); null for others.
  const BlockKernels& (*kernels)() = nullptr;
};

#define MATRIX(name, ...) extern const MatrixFunctions name##_functions;
#include "gyre/packed/codec/codecs.def"

struct MatrixCodec : Codec {
  const MatrixFunctions* functions;
};

/// The functions of a format without rings.
inline const MatrixFunctions& matrix_functions(const Codec& codec) {
  return *static_cast<const MatrixCodec&>(codec).functions;
}

}  // namespace gyre
