#include "gyre/packed/packed_layout.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <string>

#include "gyre/base/error.h"
#include "gyre/packed/codec/matrix_codec.h"
#include "gyre/packed/hadamard.h"

namespace gyre {
namespace {

// Bits of a header: hi is the track (2 bits, 0 for formats of rings), the format (4) and a seed
// (11, 0 for none); lo is r, then the angle of two layers, both f32.
constexpr int kFormatAt = 2, kSeedAt = 6;
constexpr double kFactorsAnOctave = 16;
constexpr uint64_t kZeroRow = 255;  // the code of factor 0
constexpr float kLargestR = 1 - 0x1p-20F;

uint64_t start_of(const Codec& format, int seed) {
  return static_cast<uint64_t>(format.format) << kFormatAt | static_cast<uint64_t>(seed) << kSeedAt;
}

float r_of(const Packed128& header) {
  return std::bit_cast<float>(static_cast<uint32_t>(header.lo));
}

bool has_angle(const RingFormat& format, const Packed128& header) {
  return format.layers == 1 ? header.lo >> 32 == 0 : std::isfinite(packed_angle(header));
}

}  // namespace

int64_t PackedLayout::headers() const {
  return format->has_rings ? row_tiles() * (groups() + 1) : 2;
}

int64_t PackedLayout::words() const {
  if (format->has_rings) return row_tiles() * col_tiles() * ring().tile_words;
  constexpr int64_t kBytes = sizeof(Packed128);
  return (matrix_functions(*format).bytes({rows, cols}) + kBytes - 1) / kBytes;
}

PackedLayout::Group PackedLayout::group(int64_t row_tile, int64_t number) const {
  Group g;
  const int64_t first = number * group_tiles();
  g.row_header = row_tile * (groups() + 1);
  g.header = g.row_header + 1 + number;
  g.word = (row_tile * col_tiles() + first) * ring().tile_words;
  g.tiles = std::min(group_tiles(), col_tiles() - first);
  g.row = row_tile * kTileOutputs;
  g.col = first * inputs();
  g.inputs = std::min(group_inputs(), cols - g.col);
  g.outputs = static_cast<int>(std::min<int64_t>(kTileOutputs, rows - g.row));
  return g;
}

PackedLayout packed_layout(const Codec& format, const Shape& shape, const char* op) {
  constexpr int64_t kMost = int64_t{1} << 56;
  if (shape.rank < 2) {
    throw Error(Code::shape, op, {"expected a tensor of two or more axes, got shape ", shape},
                "[rows, ...]", shape);
  }
  PackedLayout layout{&format, shape[0], 1};
  bool fits = layout.rows > 0 && layout.rows < kMost;
  for (int axis = 1; axis < shape.rank; ++axis) {
    fits = fits && shape[axis] > 0 && shape[axis] < kMost / layout.cols;
    layout.cols *= fits ? shape[axis] : 1;
  }
  // room for what any format adds to a row
  if (!fits || layout.rows / kTileOutputs + 1 > kMost / (layout.cols + (1 << 14)) / kTileOutputs) {
    throw Error(Code::shape, op, {"shape ", shape, " is empty or too large"}, {}, shape);
  }
  return layout;
}

float packed_scale(const Packed128& header) {
  const double r = r_of(header), s = r * r;
  if (r > 0x1p-4) return static_cast<float>(2 * std::atanh(r));
  // the series, quicker where nearly all headers are
  double sum = 0;
  for (int k = 13; k >= 1; k -= 2) sum = sum * s + 1.0 / k;
  return static_cast<float>(2 * r * sum);
}

float packed_angle(const Packed128& header) {
  return std::bit_cast<float>(static_cast<uint32_t>(header.lo >> 32));
}

const Codec& packed_format(const Packed128& header) {
  constexpr uint64_t kFormats = (uint64_t{1} << (kSeedAt - kFormatAt)) - 1;
  static_assert(std::size(kPackedFormatNames) <= kFormats + 1);
  return codec(static_cast<PackedFormat>(header.hi >> kFormatAt & kFormats));
}

Packed128 matrix_header(const Codec& format) { return {start_of(format, 0), 0}; }

int packed_seed(const Packed128& header) {
  return static_cast<int>(header.hi >> kSeedAt) & Hadamard::kLargestSeed;
}

Packed128 packed_header(const RingFormat& format, int seed, double scale, double angle,
                        const char* op) {
  const double most = 2 * std::atanh(static_cast<double>(kLargestR));
  if (!(scale <= most)) {
    throw Error(Code::numeric, op,
                {"weights are too large: the scale of a group is ", scale, ", at most ", most,
                 " can be stored; another format, such as q8_0, holds larger ones"},
                most, scale);
  }
  const auto r = std::min(static_cast<float>(std::tanh(std::max(scale, 0.0) / 2)), kLargestR);
  const auto turn = static_cast<float>(format.layers == 1 ? 0 : angle);
  return {start_of(format, seed),
          uint64_t{std::bit_cast<uint32_t>(turn)} << 32 | std::bit_cast<uint32_t>(r)};
}

PackedCode packed_code(const RingFormat& format) {
  const RingScale by = ring_scale(format);
  return {format.layers, format.bits, format.multipliers, by.mean, by.scale};
}

PackedAngle packed_turn(const RingFormat& format, const Packed128& header) {
  if (format.layers == 1) return {};
  const double angle = packed_angle(header);
  return {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
}

float row_factor(const Packed128& row_header, int output) {
  static const auto* factors = [] {
    auto* made = new std::array<float, kZeroRow + 1>;
    for (size_t c = 0; c < kZeroRow; ++c)
      (*made)[c] = static_cast<float>(std::exp2(-static_cast<double>(c) / kFactorsAnOctave));
    (*made)[kZeroRow] = 0;
    return made;
  }();
  const uint64_t half = output < 8 ? row_header.lo : row_header.hi;
  return (*factors)[half >> (output % 8 * 8) & 0xff];
}

Packed128 row_header(const double (&sizes)[kTileOutputs]) {
  const double largest = *std::max_element(std::begin(sizes), std::end(sizes));
  Packed128 header;
  for (int o = 0; o < kTileOutputs; ++o) {
    uint64_t code = kZeroRow;
    if (sizes[o] > 0) {
      const double off = std::round(kFactorsAnOctave * std::log2(largest / sizes[o]));
      code = static_cast<uint64_t>(std::min(off, static_cast<double>(kZeroRow - 1)));
    }
    (o < 8 ? header.lo : header.hi) |= code << (o % 8 * 8);
  }
  return header;
}

void check_headers(const PackedLayout& layout, std::span<const Packed128> headers,
                   const std::string& what) {
  if (!layout.format->has_rings) {
    if (headers[0] == Packed128{} && headers[1] == matrix_header(*layout.format)) return;
    throw Error(Code::parse, "packed", what + ": its headers are not of the tensor's format");
  }
  const int seed = packed_seed(headers[1]);
  for (int64_t i = 0; i < layout.headers(); ++i) {
    if (i % (layout.groups() + 1) == 0) continue;  // factors of outputs may have any bits
    const Packed128& header = headers[static_cast<size_t>(i)];
    const float r = r_of(header);
    const bool other_seed = packed_seed(header) != seed;
    const char* wrong = header.hi != start_of(*layout.format, packed_seed(header))
                            ? "is not of the tensor's format"
                        : other_seed                        ? "has another seed than header 1"
                        : !(r >= 0 && r <= kLargestR)       ? "has an r outside of [0, 1)"
                        : !has_angle(layout.ring(), header) ? "has a wrong angle"
                                                            : nullptr;
    if (wrong) throw Error(Code::parse, "packed", {what, ": header ", i, " ", wrong});
  }
}

}  // namespace gyre
