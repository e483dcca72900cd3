#include "gyre/packed/packed_layout.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "gyre/base/error.h"

namespace gyre {
namespace {

// Bits of a header: hi is the track (2 bits, 0 for formats of rings), the format (4) and a seed
// (11, 0 for none); lo is r, then the angle, both f32.
constexpr int kTrackBits = 2;
constexpr float kLargestR = 1 - 0x1p-20F;

uint64_t number_of(const RingFormat& format) {
  return static_cast<uint64_t>(&format - ring_formats().data());
}

float r_of(const Packed128& header) {
  return std::bit_cast<float>(static_cast<uint32_t>(header.lo));
}

}  // namespace

PackedLayout::Group PackedLayout::group(int64_t row_tile, int64_t number) const {
  Group g;
  const int64_t first = number * group_tiles();
  g.header = row_tile * groups() + number;
  g.word = (row_tile * col_tiles() + first) * format->tile_words;
  g.tiles = std::min(group_tiles(), col_tiles() - first);
  g.row = row_tile * kTileOutputs;
  g.col = first * inputs();
  g.inputs = std::min(group_inputs(), cols - g.col);
  g.outputs = static_cast<int>(std::min<int64_t>(kTileOutputs, rows - g.row));
  return g;
}

PackedLayout packed_layout(const RingFormat& format, const Shape& shape, const char* op) {
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
  if (!fits ||
      layout.row_tiles() > kMost / (layout.cols + PackedLayout::kGroupInputs) / kTileOutputs) {
    throw Error(Code::shape, op, {"shape ", shape, " is empty or too large"}, {}, shape);
  }
  return layout;
}

float packed_scale(const Packed128& header) {
  return static_cast<float>(2 * std::atanh(static_cast<double>(r_of(header))));
}

Packed128 packed_header(const RingFormat& format, double scale, const char* op) {
  const double most = 2 * std::atanh(static_cast<double>(kLargestR));
  if (!(scale <= most)) {
    throw Error(Code::numeric, op,
                {"weights are too large: the scale of a group is ", scale, ", at most ", most,
                 " can be stored"},
                most, scale);
  }
  const auto r = std::min(static_cast<float>(std::tanh(std::max(scale, 0.0) / 2)), kLargestR);
  return {number_of(format) << kTrackBits, std::bit_cast<uint32_t>(r)};
}

void check_header(const RingFormat& format, const Packed128& header, const std::string& what) {
  const float r = r_of(header);
  const char* wrong = header.hi != number_of(format) << kTrackBits ? "is not of the tensor's format"
                      : !(r >= 0 && r <= kLargestR)                ? "has an r outside of [0, 1)"
                      : header.lo >> 32 != 0                       ? "has an angle"
                                                                   : nullptr;
  if (wrong) throw Error(Code::parse, "packed", {what, ": a header ", wrong});
}

}  // namespace gyre
