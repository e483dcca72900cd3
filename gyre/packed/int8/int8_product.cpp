#include "gyre/packed/int8/int8_product.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gyre/base/cpu.h"
#include "gyre/base/thread_pool.h"
#include "gyre/kernel/per_isa.h"
#include "gyre/packed/int8/int8_tiles.h"
#include "gyre/packed/packed_groups.h"

namespace gyre {

GYRE_DECLARE_TILES(Int8Tiles, int8)

GYRE_TILES_FUNCTION(const Int8Tiles&, int8_tiles, Int8Tiles, int8)

ByteProducts byte_products() {
  const CpuFeatures& cpu = cpu_features();
  const bool vnni = isa() == v4 ? cpu.avx512_vnni : isa() == v3 && cpu.avx_vnni;
  if (!vnni) return ByteProducts::none;
  return isa() == v4 && cpu.avx512_vbmi ? ByteProducts::multishift : ByteProducts::vnni;
}

namespace {

int64_t whole_quads(int64_t inputs) { return (inputs + 3) / 4 * 4; }

// Rows of x as bytes, group by group; a row has room for whole quads in each group.
struct Rounded {
  int64_t width, groups;
  std::vector<int8_t> bytes;  // [n, width]
  std::vector<float> units;   // [n, groups]
  std::vector<int32_t> sums;  // [n, groups]
};

Rounded rounded(const PackedGroups& groups, const PackedLayout& l, const float* x, int64_t n) {
  Rounded r;
  r.groups = l.groups();
  r.width = whole_quads(l.col_tiles() * l.ring().tile_inputs);
  const std::vector<float> rows = groups.transformed(x, n, r.width);
  r.bytes.resize(rows.size());
  r.units.resize(static_cast<size_t>(n * r.groups));
  r.sums.resize(r.units.size());
  const int64_t in_group = l.group_inputs();
  parallel_for(n, weights_at_once(r.width), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      for (int64_t k = 0; k < r.groups; ++k) {
        const int64_t at = i * r.width + k * in_group, g = i * r.groups + k;
        r.units[static_cast<size_t>(g)] =
            int8_tiles().round(rows.data() + at, std::min(in_group, r.width - k * in_group),
                               r.bytes.data() + at, r.sums[static_cast<size_t>(g)]);
      }
    }
  });
  return r;
}

void multiply_row(const PackedGroups& groups, const PackedLayout& l, const Rounded& x, float* y) {
  const ByteProducts with = byte_products();
  const int64_t inputs = l.ring().tile_inputs, pairs = (inputs + 1) / 2;
  std::vector<uint32_t> words(static_cast<size_t>(l.col_tiles() * pairs));
  for (int64_t t = 0; t < l.col_tiles(); ++t) {
    for (int64_t i = 0; i < inputs; ++i) {
      const uint32_t byte = static_cast<uint8_t>(x.bytes[static_cast<size_t>(t * inputs + i)]);
      words[static_cast<size_t>(t * pairs + i / 2)] |= byte * 0x0101U << (i % 2 * 16);
    }
  }
  const PackedCode& code = groups.code();
  parallel_for(
      l.row_tiles(), weights_at_once(l.cols * kTileOutputs), [&](int64_t begin, int64_t end) {
        for (int64_t t = begin; t < end; ++t) {
          float sums[kTileOutputs] = {};
          for (int64_t k = 0; k < l.groups(); ++k) {
            const PackedLayout::Group g = l.group(t, k);
            int32_t part[2][kTileOutputs] = {};
            int8_tiles().add_row(code, with, groups.words(g), g.tiles,
                                 words.data() + g.col / inputs * pairs, part[0]);
            const PackedAngle angle = groups.angle(g);
            const float unit = x.units[static_cast<size_t>(k)] * groups.scale(g) * code.scale,
                        mean = code.mean * static_cast<float>(x.sums[static_cast<size_t>(k)]);
            for (int o = 0; o < kTileOutputs; ++o) {
              sums[o] += unit * (angle.cos * (static_cast<float>(part[0][o]) - mean) +
                                 angle.sin * (static_cast<float>(part[1][o]) - mean));
            }
          }
          groups.put_row(t, sums, y);
        }
      });
}

// Sums of the four bytes of a state go from 0 to 1020. Those of both layers, times cos and sin, go
// from `low` on over a span that the 255 steps of a byte cover.
ByteNumbers byte_numbers(const PackedCode& code, PackedAngle angle) {
  constexpr double kSums = 1020, kFixed = 1 << 14;
  const double cos = angle.cos, sin = code.layers == 1 ? 0 : angle.sin;
  const double step = kSums / 255 * (std::abs(cos) + std::abs(sin));
  const double low = kSums * (std::min(cos, 0.0) + std::min(sin, 0.0));
  const auto fixed = [&](double x) { return static_cast<int32_t>(std::lround(x / step * kFixed)); };
  return {.cos = fixed(cos),
          .sin = fixed(sin),
          .offset = fixed(-low) + (1 << 13),
          .unit = static_cast<float>(step * static_cast<double>(code.scale)),
          .zero = static_cast<float>((static_cast<double>(code.mean) * (cos + sin) - low) / step)};
}

// A block of up to kBlockOutputs outputs for all rows of x.
void multiply_block(const PackedGroups& groups, const PackedLayout& l, const Rounded& x, int64_t n,
                    int64_t block, float* y) {
  constexpr int kTiles = kBlockOutputs / kTileOutputs;
  alignas(64) uint8_t weights[PackedLayout::kGroupInputs * kBlockOutputs] = {};
  float units[kBlockOutputs] = {}, zeros[kBlockOutputs] = {};
  const int64_t first = block * kTiles, tiles = std::min<int64_t>(kTiles, l.row_tiles() - first);
  const int outputs =
      static_cast<int>(std::min<int64_t>(kBlockOutputs, l.rows - block * kBlockOutputs));
  y += block * kBlockOutputs;
  for (int64_t i = 0; i < n; ++i) std::fill_n(y + i * l.rows, outputs, 0.0F);
  for (int64_t k = 0; k < l.groups(); ++k) {
    int64_t inputs = 0;
    for (int64_t t = 0; t < tiles; ++t) {
      const PackedLayout::Group g = l.group(first + t, k);
      const ByteNumbers numbers = byte_numbers(groups.code(), groups.angle(g));
      int8_tiles().decode(groups.code(), numbers, byte_products(), groups.words(g), g.tiles,
                          weights + t * kTileOutputs * 4);
      groups.factors(g, units + t * kTileOutputs);
      for (int64_t o = t * kTileOutputs; o < (t + 1) * kTileOutputs; ++o) {
        units[o] *= numbers.unit;
        zeros[o] = numbers.zero;
      }
      inputs = g.tiles * l.ring().tile_inputs;
    }
    int8_tiles().multiply({.x = x.bytes.data() + k * l.group_inputs(),
                           .weights = weights,
                           .rows = n,
                           .x_row = x.width,
                           .quads = whole_quads(inputs) / 4,
                           .x_units = x.units.data() + k,
                           .x_sums = x.sums.data() + k,
                           .x_units_row = x.groups,
                           .units = units,
                           .zeros = zeros,
                           .y = y,
                           .y_row = l.rows,
                           .outputs = outputs},
                          byte_products());
  }
}

}  // namespace

void multiply_transposed_int8(const PackedMatrix& w, const float* x, int64_t n, float* y) {
  if (n == 0) return;
  const PackedLayout& l = w.layout;
  const PackedGroups groups(w);
  const Rounded bytes = rounded(groups, l, x, n);
  if (n == 1) return multiply_row(groups, l, bytes, y);
  const int64_t blocks = (l.rows + kBlockOutputs - 1) / kBlockOutputs;
  parallel_for(blocks, weights_at_once(l.cols * kBlockOutputs * std::max<int64_t>(1, n / 8)),
               [&](int64_t begin, int64_t end) {
                 for (int64_t b = begin; b < end; ++b) multiply_block(groups, l, bytes, n, b, y);
               });
}

}  // namespace gyre
