#pragma once
#include "gyre/packed/packed.h"

namespace gyre {

/// Numbers of a packed matrix in bands of 16 outputs, [bands][inputs][16]; 0 outside of the matrix.
class Bands {
 public:
  explicit Bands(const PackedLayout& layout)
      : cols_(layout.cols),
        numbers_(static_cast<size_t>(layout.row_tiles() * layout.cols * kTileOutputs)) {}
  /// From an input on.
  float* at(int64_t band, int64_t col) {
    return numbers_.data() + (band * cols_ + col) * kTileOutputs;
  }
  [[nodiscard]] const float* at(int64_t band, int64_t col) const {
    return numbers_.data() + (band * cols_ + col) * kTileOutputs;
  }

 private:
  int64_t cols_;
  std::vector<float> numbers_;
};

}  // namespace gyre
