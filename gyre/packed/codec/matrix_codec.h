#pragma once
#include <cstddef>

#include "gyre/packed/codec/codec.h"

// Formats that are functions of a whole matrix: for comparison with rings, and for files of others.
// Their bytes are the words of a packed tensor, filled up with zeros.

namespace gyre {

struct MatrixSize {
  int64_t rows, cols;
};

/// What a format does. All are pure, and give the same bits on any number of threads.
struct MatrixFunctions {
  int64_t (*bytes)(const MatrixSize& size);
  /// x: finite numbers [rows, cols]. Error{numeric} for those that are too large to be stored.
  void (*encode)(const MatrixSize& size, const float* x, std::byte* to);
  /// Rows `first` to `first + count` of the numbers.
  void (*decode)(const MatrixSize& size, const std::byte* from, int64_t first, int64_t count,
                 float* to);
  /// What is wrong with the bytes of a file; null if they give finite numbers.
  const char* (*fault)(const MatrixSize& size, const std::byte* from);
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

/// What encoders throw.
[[noreturn]] void refuse_large_weights(int64_t row);

}  // namespace gyre
