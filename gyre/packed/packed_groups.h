#pragma once
#include <algorithm>
#include <vector>

#include "gyre/base/thread_pool.h"
#include "gyre/packed/hadamard.h"
#include "gyre/packed/packed_product.h"
#include "gyre/packed/packed_tiles.h"

namespace gyre {

/// Rows, or others that take as many weights, of a chunk of parallel_for.
inline int64_t weights_at_once(int64_t weights) {
  return std::max<int64_t>(1, (1 << 16) / weights);
}

/// A packed matrix by its groups, for kernels. The matrix must outlive it.
class PackedGroups {
 public:
  using Group = PackedLayout::Group;

  explicit PackedGroups(const PackedMatrix& w)
      : w_(w),
        code_(packed_code(w.layout.ring())),
        tiles_(packed_tiles()),
        hadamard_(packed_seed(w.headers[1]), w.layout.cols) {}

  [[nodiscard]] const PackedCode& code() const { return code_; }
  [[nodiscard]] const PackedTiles& tiles() const { return tiles_; }
  [[nodiscard]] const Packed128* words(const Group& g) const { return w_.words + g.word; }
  /// That of the matrix's columns.
  [[nodiscard]] const Hadamard& hadamard() const { return hadamard_; }
  /// What the numbers of each output of a group are multiplied by: scale() times row_factors().
  void factors(const Group& g, float* of) const {
    row_factors(g, of);
    const float by = scale(g);
    for (int o = 0; o < kTileOutputs; ++o) of[o] *= by;
  }
  [[nodiscard]] float scale(const Group& g) const { return packed_scale(w_.headers[g.header]); }
  /// The same in all groups of a row of tiles.
  void row_factors(const Group& g, float* of) const {
    for (int o = 0; o < kTileOutputs; ++o) of[o] = row_factor(w_.headers[g.row_header], o);
  }
  [[nodiscard]] PackedAngle angle(const Group& g) const {
    return packed_turn(w_.layout.ring(), w_.headers[g.header]);
  }
  /// Results of the outputs of a row of tiles: sums over all groups, before the factors of rows.
  void put_row(int64_t row_tile, const float (&sums)[kTileOutputs], float* y) const {
    const Group g = w_.layout.group(row_tile, 0);
    float by[kTileOutputs];
    row_factors(g, by);
    for (int o = 0; o < g.outputs; ++o) y[g.row + o] = by[o] * sums[o];
  }
  /// The weights of `inputs` inputs from `first` on of a row of tiles, in the basis of the numbers.
  void decode(int64_t row_tile, int64_t first, int64_t inputs, PackedTarget to) const {
    const int64_t in_group = w_.layout.group_inputs();
    while (inputs > 0) {
      const Group g = w_.layout.group(row_tile, first / in_group);
      const int64_t skip = first - g.col, n = std::min(inputs, in_group - skip);
      float by[kTileOutputs];
      factors(g, by);
      tiles_.decode(code_, angle(g), words(g), skip, n, by, to);
      to.to += n * to.stride;
      first += n;
      inputs -= n;
    }
  }
  /// Rows of x [n, cols] in the basis of the numbers, [n, width] with zeros after the columns.
  [[nodiscard]] std::vector<float> transformed(const float* x, int64_t n, int64_t width) const {
    const int64_t cols = w_.layout.cols;
    std::vector<float> rows(static_cast<size_t>(n * width));
    parallel_for(n, weights_at_once(cols), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        std::copy_n(x + i * cols, cols, rows.data() + i * width);
        hadamard_.apply(rows.data() + i * width);
      }
    });
    return rows;
  }

 private:
  const PackedMatrix& w_;
  PackedCode code_;
  const PackedTiles& tiles_;
  Hadamard hadamard_;
};

}  // namespace gyre
