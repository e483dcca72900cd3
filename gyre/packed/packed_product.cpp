#include "gyre/packed/packed_product.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gyre/base/thread_pool.h"
#include "gyre/kernel/per_isa.h"
#include "gyre/packed/hadamard.h"
#include "gyre/packed/packed_tiles.h"

namespace gyre {

GYRE_DECLARE_TILES(PackedTiles, packed)

GYRE_TILES_FUNCTION(const PackedTiles&, packed_tiles, PackedTiles, packed)

namespace {

constexpr int64_t kWeightsAtOnce = 1 << 16;  // a chunk of parallel_for

using Group = PackedLayout::Group;

// A decoded group: numbers by input and output, and the factor of each output.
struct Decoded {
  alignas(64) float numbers[PackedLayout::kGroupInputs * kTileOutputs];
  float factors[kTileOutputs];
};

PackedCode code_of(const RingFormat& format) {
  const RingScale by = ring_scale(format);
  return {format.layers, format.bits, format.multipliers, by.mean, by.scale};
}

int64_t at_once(int64_t weights) { return std::max<int64_t>(1, kWeightsAtOnce / weights); }

class Groups {
 public:
  explicit Groups(const PackedMatrix& w)
      : w_(w),
        code_(code_of(*w.layout.format)),
        tiles_(packed_tiles()),
        hadamard_(packed_seed(w.headers[1]), w.layout.cols) {}

  [[nodiscard]] const PackedCode& code() const { return code_; }
  [[nodiscard]] const PackedTiles& tiles() const { return tiles_; }
  [[nodiscard]] const Packed128* words(const Group& g) const { return w_.words + g.word; }
  // That of the matrix's columns.
  [[nodiscard]] const Hadamard& hadamard() const { return hadamard_; }
  // What the numbers of each output of a group are multiplied by.
  void factors(const Group& g, float (&of)[kTileOutputs]) const {
    const float scale = packed_scale(w_.headers[g.header]);
    for (int o = 0; o < kTileOutputs; ++o) of[o] = scale * row_factor(w_.headers[g.row_header], o);
  }
  [[nodiscard]] PackedAngle angle(const Group& g) const {
    if (code_.layers == 1) return {};
    const double angle = packed_angle(w_.headers[g.header]);
    return {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
  }
  void decode(const Group& g, Decoded& to) const {
    tiles_.decode(code_, angle(g), words(g), g.tiles, to.numbers);
    factors(g, to.factors);
  }

 private:
  const PackedMatrix& w_;
  PackedCode code_;
  const PackedTiles& tiles_;
  Hadamard hadamard_;
};

// Rows of x in the basis of the numbers; `width` is at least that of x, the rest is 0.
std::vector<float> transformed(const Groups& groups, const float* x, int64_t n, int64_t cols,
                               int64_t width) {
  std::vector<float> rows(static_cast<size_t>(n * width));
  parallel_for(n, at_once(cols), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      std::copy_n(x + i * cols, cols, rows.data() + i * width);
      groups.hadamard().apply(rows.data() + i * width);
    }
  });
  return rows;
}

void multiply_row(const PackedMatrix& w, const float* x, float* y) {
  const PackedLayout& l = w.layout;
  const Groups groups(w);
  const std::vector<float> row =
      transformed(groups, x, 1, l.cols, l.col_tiles() * l.format->tile_inputs);
  parallel_for(l.row_tiles(), at_once(l.cols * kTileOutputs), [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t) {
      float sums[kTileOutputs] = {};
      for (int64_t k = 0; k < l.groups(); ++k) {
        const Group g = l.group(t, k);
        float part[2][kTileOutputs] = {};
        groups.tiles().add_row(groups.code(), groups.words(g), g.tiles, row.data() + g.col,
                               part[0]);
        float factors[kTileOutputs];
        groups.factors(g, factors);
        const PackedAngle angle = groups.angle(g);
        for (int o = 0; o < kTileOutputs; ++o) {
          sums[o] += factors[o] *
                     (groups.code().scale * (angle.cos * part[0][o] + angle.sin * part[1][o]));
        }
      }
      std::copy_n(sums, l.group(t, 0).outputs, y + t * kTileOutputs);
    }
  });
}

}  // namespace

void decode_matrix(const PackedMatrix& w, float* to) {
  const PackedLayout& l = w.layout;
  const Groups groups(w);
  parallel_for(l.row_tiles(), at_once(l.cols * kTileOutputs), [&](int64_t begin, int64_t end) {
    Decoded part;
    for (int64_t t = begin; t < end; ++t) {
      for (int64_t k = 0; k < l.groups(); ++k) {
        const Group g = l.group(t, k);
        groups.decode(g, part);
        for (int o = 0; o < g.outputs; ++o) {
          float* row = to + (g.row + o) * l.cols + g.col;
          for (int64_t i = 0; i < g.inputs; ++i)
            row[i] = part.factors[o] * part.numbers[i * kTileOutputs + o];
        }
      }
      for (int64_t row = t * kTileOutputs; row < std::min(l.rows, (t + 1) * kTileOutputs); ++row)
        groups.hadamard().undo(to + row * l.cols);
    }
  });
}

void decode_rows(const PackedMatrix& w, int64_t count, FunctionRef<int64_t(int64_t)> index,
                 float* to) {
  const PackedLayout& l = w.layout;
  const Groups groups(w);
  parallel_for(count, at_once(l.cols * kTileOutputs), [&](int64_t begin, int64_t end) {
    Decoded part;
    for (int64_t i = begin; i < end; ++i) {
      const int64_t row = index(i), o = row % kTileOutputs;
      for (int64_t k = 0; k < l.groups(); ++k) {
        const Group g = l.group(row / kTileOutputs, k);
        groups.decode(g, part);
        for (int64_t j = 0; j < g.inputs; ++j)
          to[i * l.cols + g.col + j] = part.factors[o] * part.numbers[j * kTileOutputs + o];
      }
      groups.hadamard().undo(to + i * l.cols);
    }
  });
}

void multiply_transposed(const PackedMatrix& w, const float* x, int64_t n, float* y) {
  if (n == 0) return;
  if (n == 1) return multiply_row(w, x, y);
  const PackedLayout& l = w.layout;
  const Groups groups(w);
  const std::vector<float> rows = transformed(groups, x, n, l.cols, l.cols);
  std::fill_n(y, n * l.rows, 0.0F);
  parallel_for(l.row_tiles(), at_once(l.cols * kTileOutputs), [&](int64_t begin, int64_t end) {
    Decoded part;
    for (int64_t t = begin; t < end; ++t) {
      for (int64_t k = 0; k < l.groups(); ++k) {
        const Group g = l.group(t, k);
        groups.decode(g, part);
        groups.tiles().add_rows(part.numbers, g.inputs, rows.data() + g.col, l.cols, n,
                                part.factors, y + g.row, l.rows, g.outputs);
      }
    }
  });
}

void multiply(const PackedMatrix& w, const float* x, int64_t n, float* y) {
  if (n == 0) return;
  const PackedLayout& l = w.layout;
  const Groups groups(w);
  std::fill_n(y, n * l.cols, 0.0F);
  parallel_for(l.groups(), 1, [&](int64_t begin, int64_t end) {
    Decoded part;
    for (int64_t k = begin; k < end; ++k) {
      for (int64_t t = 0; t < l.row_tiles(); ++t) {
        const Group g = l.group(t, k);
        groups.decode(g, part);
        groups.tiles().add_transposed(part.numbers, g.inputs, x + g.row, l.rows, n, part.factors,
                                      y + g.col, l.cols, g.outputs);
      }
    }
  });
  parallel_for(n, at_once(l.cols), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) groups.hadamard().undo(y + i * l.cols);
  });
}

}  // namespace gyre
