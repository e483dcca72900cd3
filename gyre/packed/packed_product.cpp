#include "gyre/packed/packed_product.h"

#include <algorithm>
#include <vector>

#include "gyre/base/thread_pool.h"
#include "gyre/kernel/per_isa.h"
#include "gyre/packed/packed_tiles.h"

namespace gyre {

GYRE_DECLARE_TILES(PackedTiles, packed)

namespace {

GYRE_TILES_FUNCTION(const PackedTiles&, packed_tiles, PackedTiles, packed)

constexpr int64_t kWeightsAtOnce = 1 << 16;  // a chunk of parallel_for

using Group = PackedLayout::Group;

// Numbers of a group, by input and output.
struct Numbers {
  alignas(64) float of[PackedLayout::kGroupInputs * kTileOutputs];
};

PackedCode code_of(const RingFormat& format) {
  const RingScale by = ring_scale(format);
  return {format.bits, format.multipliers, by.mean, by.scale};
}

int64_t at_once(int64_t weights) { return std::max<int64_t>(1, kWeightsAtOnce / weights); }

class Groups {
 public:
  explicit Groups(const PackedMatrix& w)
      : w_(w), code_(code_of(*w.layout.format)), tiles_(packed_tiles()) {}

  [[nodiscard]] const PackedCode& code() const { return code_; }
  [[nodiscard]] const PackedTiles& tiles() const { return tiles_; }
  [[nodiscard]] const Packed128* words(const Group& g) const { return w_.words + g.word; }
  [[nodiscard]] float scale(const Group& g) const { return packed_scale(w_.headers[g.header]); }
  void decode(const Group& g, Numbers& to) const { tiles_.decode(code_, words(g), g.tiles, to.of); }

 private:
  const PackedMatrix& w_;
  PackedCode code_;
  const PackedTiles& tiles_;
};

// A row of x whose length is a multiple of a tile's inputs, with zeros at the end.
std::vector<float> padded(const PackedLayout& l, const float* x) {
  std::vector<float> row(static_cast<size_t>(l.col_tiles() * l.format->tile_inputs));
  std::copy_n(x, l.cols, row.begin());
  return row;
}

void multiply_row(const PackedMatrix& w, const float* x, float* y) {
  const PackedLayout& l = w.layout;
  const Groups groups(w);
  const bool whole = l.cols % l.format->tile_inputs == 0;
  const std::vector<float> copy = whole ? std::vector<float>() : padded(l, x);
  const float* from = whole ? x : copy.data();
  parallel_for(l.row_tiles(), at_once(l.cols * kTileOutputs), [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t) {
      float sums[kTileOutputs] = {};
      for (int64_t k = 0; k < l.groups(); ++k) {
        const Group g = l.group(t, k);
        float part[kTileOutputs] = {};
        groups.tiles().add_row(groups.code(), groups.words(g), g.tiles, from + g.col, part);
        const float factor = groups.scale(g) * groups.code().scale;
        for (int o = 0; o < kTileOutputs; ++o) sums[o] += factor * part[o];
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
    Numbers numbers;
    for (int64_t t = begin; t < end; ++t) {
      for (int64_t k = 0; k < l.groups(); ++k) {
        const Group g = l.group(t, k);
        groups.decode(g, numbers);
        const float scale = groups.scale(g);
        for (int o = 0; o < g.outputs; ++o) {
          float* row = to + (g.row + o) * l.cols + g.col;
          for (int64_t i = 0; i < g.inputs; ++i) row[i] = scale * numbers.of[i * kTileOutputs + o];
        }
      }
    }
  });
}

void decode_rows(const PackedMatrix& w, int64_t count, FunctionRef<int64_t(int64_t)> index,
                 float* to) {
  const PackedLayout& l = w.layout;
  const Groups groups(w);
  parallel_for(count, at_once(l.cols * kTileOutputs), [&](int64_t begin, int64_t end) {
    Numbers numbers;
    for (int64_t i = begin; i < end; ++i) {
      const int64_t row = index(i), o = row % kTileOutputs;
      for (int64_t k = 0; k < l.groups(); ++k) {
        const Group g = l.group(row / kTileOutputs, k);
        groups.decode(g, numbers);
        const float scale = groups.scale(g);
        for (int64_t j = 0; j < g.inputs; ++j)
          to[i * l.cols + g.col + j] = scale * numbers.of[j * kTileOutputs + o];
      }
    }
  });
}

void multiply_transposed(const PackedMatrix& w, const float* x, int64_t n, float* y) {
  if (n == 1) return multiply_row(w, x, y);
  const PackedLayout& l = w.layout;
  const Groups groups(w);
  std::fill_n(y, n * l.rows, 0.0F);
  parallel_for(l.row_tiles(), at_once(l.cols * kTileOutputs), [&](int64_t begin, int64_t end) {
    Numbers numbers;
    for (int64_t t = begin; t < end; ++t) {
      for (int64_t k = 0; k < l.groups(); ++k) {
        const Group g = l.group(t, k);
        groups.decode(g, numbers);
        groups.tiles().add_rows(numbers.of, g.inputs, x + g.col, l.cols, n, groups.scale(g),
                                y + g.row, l.rows, g.outputs);
      }
    }
  });
}

void multiply(const PackedMatrix& w, const float* x, int64_t n, float* y) {
  const PackedLayout& l = w.layout;
  const Groups groups(w);
  std::fill_n(y, n * l.cols, 0.0F);
  parallel_for(l.groups(), 1, [&](int64_t begin, int64_t end) {
    Numbers numbers;
    for (int64_t k = begin; k < end; ++k) {
      for (int64_t t = 0; t < l.row_tiles(); ++t) {
        const Group g = l.group(t, k);
        groups.decode(g, numbers);
        groups.tiles().add_transposed(numbers.of, g.inputs, x + g.row, l.rows, n, groups.scale(g),
                                      y + g.col, l.cols, g.outputs);
      }
    }
  });
}

}  // namespace gyre
