#include "gyre/packed/packed_product.h"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "gyre/kernel/per_isa.h"
#include "gyre/ops/linalg/gemm.h"
#include "gyre/packed/block_product.h"
#include "gyre/packed/codec/matrix_codec.h"
#include "gyre/packed/packed_groups.h"

namespace gyre {

GYRE_DECLARE_TILES(PackedTiles, packed)

GYRE_TILES_FUNCTION(const PackedTiles&, packed_tiles, PackedTiles, packed)

namespace {

// The numbers of up to a group by input and output.
struct Numbers {
  alignas(64) float of[PackedLayout::kGroupInputs * kTileOutputs];
  PackedTarget target() { return {of, kTileOutputs, 8}; }
};

void multiply_row(const PackedMatrix& w, const float* x, float* y) {
  const PackedLayout& l = w.layout;
  const PackedGroups groups(w);
  const std::vector<float> row = groups.transformed(x, 1, l.col_tiles() * l.ring().tile_inputs);
  parallel_for(l.row_tiles(), weights_at_once(l.cols * kTileOutputs),
               [&](int64_t begin, int64_t end) {
                 for (int64_t t = begin; t < end; ++t) {
                   float sums[kTileOutputs] = {};
                   for (int64_t k = 0; k < l.groups(); ++k) {
                     const PackedLayout::Group g = l.group(t, k);
                     float part[2][kTileOutputs] = {};
                     groups.tiles().add_row(groups.code(), groups.words(g), g.tiles,
                                            row.data() + g.col, part[0]);
                     const PackedAngle angle = groups.angle(g);
                     const float by = groups.scale(g) * groups.code().scale;
                     for (int o = 0; o < kTileOutputs; ++o)
                       sums[o] += by * (angle.cos * part[0][o] + angle.sin * part[1][o]);
                   }
                   groups.put_row(t, sums, y);
                 }
               });
}

// y = x w: weights of a group, times x, are added up for some rows of tiles, lane by lane; then
// these parts are, in an order that does not depend on threads.
void multiply_row_plain(const PackedMatrix& w, const float* x, float* y) {
  constexpr int64_t kTogether = 32;
  const PackedLayout& l = w.layout;
  const PackedGroups groups(w);
  const int64_t parts = (l.row_tiles() + kTogether - 1) / kTogether;
  std::vector<float> sums(static_cast<size_t>(parts * l.cols));
  parallel_for(parts * l.groups(), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t part = i / l.groups(), k = i % l.groups();
      Numbers added{};
      PackedLayout::Group g{};
      for (int64_t t = part * kTogether; t < std::min(l.row_tiles(), (part + 1) * kTogether); ++t) {
        g = l.group(t, k);
        float by[kTileOutputs];
        groups.factors(g, by);
        for (int o = 0; o < kTileOutputs; ++o) by[o] *= o < g.outputs ? x[g.row + o] : 0;
        groups.tiles().decode_onto(groups.code(), groups.angle(g), groups.words(g), 0, g.inputs, by,
                                   added.target());
      }
      for (int64_t j = 0; j < g.inputs; ++j) {
        float sum = 0;
        for (int o = 0; o < kTileOutputs; ++o) sum += added.of[j * kTileOutputs + o];
        sums[static_cast<size_t>(part * l.cols + g.col + j)] = sum;
      }
    }
  });
  std::copy_n(sums.data(), l.cols, y);
  for (int64_t part = 1; part < parts; ++part) {
    for (int64_t j = 0; j < l.cols; ++j) y[j] += sums[static_cast<size_t>(part * l.cols + j)];
  }
  groups.hadamard().undo(y);
}

// A block of B = w^T: the outputs of a row of tiles are 16 columns of it.
void put_transposed(const PackedGroups& groups, const Panels<float>& to) {
  static_assert(Panels<float>::kColumns == kTileOutputs && Panels<float>::kBeside == 8);
  const MatrixPart& b = to.block();
  for (int64_t output = b.col; output < b.col + b.cols; output += kTileOutputs) {
    float* first = to.at(b.row, output);
    groups.decode(output / kTileOutputs, b.row, b.rows,
                  {first, to.stride(), to.at(b.row, output + 8) - first});
  }
}

// A block of B = w.
void put_plain(const PackedGroups& groups, const Panels<float>& to) {
  const MatrixPart& b = to.block();
  const int64_t end = b.row + b.rows;
  Numbers numbers;
  for (int64_t output = b.row, outputs = 0; output < end; output += outputs) {
    const int64_t skip = output % kTileOutputs;
    outputs = std::min(kTileOutputs - skip, end - output);
    for (int64_t i = 0; i < b.cols; i += PackedLayout::kGroupInputs) {
      const int64_t n = std::min(b.cols - i, PackedLayout::kGroupInputs);
      groups.decode(output / kTileOutputs, b.col + i, n, numbers.target());
      to.put({output, outputs, b.col + i, n}, numbers.of + skip, 1, kTileOutputs);
    }
  }
}

// The weights of rows of tiles.
void decode_row_tiles(const PackedMatrix& w, int64_t first, int64_t count, float* to) {
  const PackedLayout& l = w.layout;
  const PackedGroups groups(w);
  parallel_for(count, weights_at_once(l.cols * kTileOutputs), [&](int64_t begin, int64_t end) {
    Numbers numbers;
    for (int64_t t = begin; t < end; ++t) {
      float* rows = to + t * kTileOutputs * l.cols;
      const int outputs = l.group(first + t, 0).outputs;
      for (int64_t k = 0; k < l.groups(); ++k) {
        const PackedLayout::Group g = l.group(first + t, k);
        groups.decode(first + t, g.col, g.inputs, numbers.target());
        for (int o = 0; o < outputs; ++o) {
          float* row = rows + o * l.cols + g.col;
          for (int64_t i = 0; i < g.inputs; ++i) row[i] = numbers.of[i * kTileOutputs + o];
        }
      }
      for (int o = 0; o < outputs; ++o) groups.hadamard().undo(rows + o * l.cols);
    }
  });
}

// Some rows in a format without rings.
void decode_codec_rows(const PackedMatrix& w, int64_t first, int64_t count, float* to) {
  const PackedLayout& l = w.layout;
  parallel_for(count, weights_at_once(l.cols), [&](int64_t begin, int64_t end) {
    matrix_functions(*l.format).decode({l.rows, l.cols}, w.bytes, first + begin, end - begin,
                                       to + begin * l.cols);
  });
}

// Rows from the first of a tile on.
void decode_part(const PackedMatrix& w, int64_t first, int64_t count, float* to) {
  if (!w.layout.format->has_rings) return decode_codec_rows(w, first, count, to);
  decode_row_tiles(w, first / kTileOutputs, (count + kTileOutputs - 1) / kTileOutputs, to);
}

// Calls f(first row, rows, weights in T) for the rows of a matrix, block by block.
template <class T>
void each_block(const PackedMatrix& w, auto f) {
  constexpr int64_t kRows = 8 * kTileOutputs;
  const PackedLayout& l = w.layout;
  for (int64_t row = 0; row < l.rows; row += kRows) {
    const int64_t rows = std::min(l.rows - row, kRows);
    std::vector<float> weights(static_cast<size_t>(rows * l.cols));
    decode_part(w, row, rows, weights.data());
    if constexpr (std::is_same_v<T, float>) {
      f(row, rows, weights.data());
    } else {
      const std::vector<T> wide(weights.begin(), weights.end());
      f(row, rows, wide.data());
    }
  }
}

template <class T>
void multiply_transposed_by_blocks(const PackedMatrix& w, const T* x, int64_t n, T* y) {
  if (n == 0) return;
  const int64_t cols = w.layout.cols;
  each_block<T>(w, [&](int64_t row, int64_t rows, const T* weights) {
    gemm(Gemm<T>{.m = n,
                 .n = rows,
                 .k = cols,
                 .a = x,
                 .a_row = cols,
                 .b = weights,
                 .b_row = 1,
                 .b_col = cols,
                 .c = y + row,
                 .c_row = w.layout.rows});
  });
}

template <class T>
void multiply_by_blocks(const PackedMatrix& w, const T* x, int64_t n, T* y) {
  if (n == 0) return;
  const int64_t cols = w.layout.cols;
  each_block<T>(w, [&](int64_t row, int64_t rows, const T* weights) {
    gemm(Gemm<T>{.m = n,
                 .n = cols,
                 .k = rows,
                 .a = x + row,
                 .a_row = w.layout.rows,
                 .b = weights,
                 .b_row = cols,
                 .c = y,
                 .c_row = cols,
                 .accumulate = row > 0});
  });
}

}  // namespace

void decode_matrix(const PackedMatrix& w, float* to) { decode_part(w, 0, w.layout.rows, to); }

void decode_rows(const PackedMatrix& w, int64_t count, FunctionRef<int64_t(int64_t)> index,
                 float* to) {
  const PackedLayout& l = w.layout;
  if (!l.format->has_rings) {
    parallel_for(count, weights_at_once(l.cols), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        matrix_functions(*l.format).decode({l.rows, l.cols}, w.bytes, index(i), 1, to + i * l.cols);
    });
    return;
  }
  const PackedGroups groups(w);
  parallel_for(count, weights_at_once(l.cols * kTileOutputs), [&](int64_t begin, int64_t end) {
    Numbers numbers;
    for (int64_t i = begin; i < end; ++i) {
      const int64_t row = index(i);
      float* out = to + i * l.cols;
      for (int64_t k = 0; k < l.groups(); ++k) {
        const PackedLayout::Group g = l.group(row / kTileOutputs, k);
        groups.decode(row / kTileOutputs, g.col, g.inputs, numbers.target());
        for (int64_t j = 0; j < g.inputs; ++j)
          out[g.col + j] = numbers.of[j * kTileOutputs + row % kTileOutputs];
      }
      groups.hadamard().undo(out);
    }
  });
}

void multiply_transposed(const PackedMatrix& w, const float* x, int64_t n, float* y) {
  if (n == 0) return;
  if (has_block_kernels(*w.layout.format)) return multiply_blocks_transposed(w, x, n, y);
  if (!w.layout.format->has_rings) return multiply_transposed_by_blocks(w, x, n, y);
  if (n == 1) return multiply_row(w, x, y);
  const PackedLayout& l = w.layout;
  const PackedGroups groups(w);
  const std::vector<float> rows = groups.transformed(x, n, l.cols);
  const auto put = [&](const Panels<float>& to) { put_transposed(groups, to); };
  gemm<float>({.m = n,
               .n = l.rows,
               .k = l.cols,
               .a = rows.data(),
               .a_row = l.cols,
               .c = y,
               .c_row = l.rows},
              put);
}

void multiply(const PackedMatrix& w, const float* x, int64_t n, float* y) {
  if (n == 0) return;
  if (has_block_kernels(*w.layout.format)) return multiply_blocks(w, x, n, y);
  if (!w.layout.format->has_rings) return multiply_by_blocks(w, x, n, y);
  if (n == 1) return multiply_row_plain(w, x, y);
  const PackedLayout& l = w.layout;
  const PackedGroups groups(w);
  const auto put = [&](const Panels<float>& to) { put_plain(groups, to); };
  gemm<float>({.m = n, .n = l.cols, .k = l.rows, .a = x, .a_row = l.rows, .c = y, .c_row = l.cols},
              put);
  parallel_for(n, weights_at_once(l.cols), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) groups.hadamard().undo(y + i * l.cols);
  });
}

void multiply_transposed(const PackedMatrix& w, const double* x, int64_t n, double* y) {
  multiply_transposed_by_blocks(w, x, n, y);
}

void multiply(const PackedMatrix& w, const double* x, int64_t n, double* y) {
  multiply_by_blocks(w, x, n, y);
}

}  // namespace gyre
