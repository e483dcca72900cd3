#pragma once
#include <cstddef>

#include "gyre/packed/packed_tiles.h"
#include "gyre/packed/ring.h"
#include "gyre/tensor/shape.h"

namespace gyre {

/// How a matrix lies in words.
///
/// Of a format of rings: a tile stands for 16 outputs (rows) and the format's `tile_inputs` inputs
/// (columns); tiles of 16 outputs follow one another along the inputs, then come the next 16
/// outputs. Positions beyond the matrix are there too and stand for nothing. Each 16 outputs have a
/// word with a factor for each of them, and a header for every 256 inputs, so for about 4,096
/// weights, which holds their scale. Numbers are those of the matrix times a Hadamard matrix.
///
/// Of another format: words are the bytes of its codec (packed/codec/matrix_codec.h), filled up
/// with zeros, and there are two headers, 0 and one that holds the format.
struct PackedLayout {
  const Codec* format = nullptr;
  int64_t rows = 0, cols = 0;

  [[nodiscard]] int64_t headers() const;
  [[nodiscard]] int64_t words() const;
  [[nodiscard]] size_t bytes() const {
    return static_cast<size_t>(headers() + words()) * sizeof(Packed128);
  }

  // all below: of a format of rings
  [[nodiscard]] const RingFormat& ring() const { return static_cast<const RingFormat&>(*format); }

  [[nodiscard]] int64_t row_tiles() const { return (rows + kTileOutputs - 1) / kTileOutputs; }
  [[nodiscard]] int64_t col_tiles() const { return (cols + inputs() - 1) / inputs(); }
  /// Tiles and inputs of a header's group; the last group of a row of tiles may have fewer.
  [[nodiscard]] int64_t group_tiles() const { return kGroupInputs / inputs(); }
  [[nodiscard]] int64_t group_inputs() const { return group_tiles() * inputs(); }
  [[nodiscard]] int64_t groups() const { return (col_tiles() + group_tiles() - 1) / group_tiles(); }

  /// The output and input in its tile that a step of one of its words stands for.
  struct Place {
    int output, input;
  };
  [[nodiscard]] Place place(int word, int step) const {
    if (ring().tile_words == 1) return {step % kTileOutputs, step / kTileOutputs};
    return {2 * word + step / ring().tile_inputs, step % ring().tile_inputs};
  }

  /// A group: the inputs of 16 outputs that share a header.
  struct Group {
    int64_t header, word, tiles;  ///< indices of its header and first word, number of its tiles
    int64_t row_header;           ///< index of the factors of its outputs
    int64_t row, col, inputs;     ///< of its first weight; inputs inside the matrix
    int outputs;                  ///< inside the matrix
  };
  [[nodiscard]] Group group(int64_t row_tile, int64_t number) const;

  /// Most inputs of a group.
  static constexpr int64_t kGroupInputs = 256;

 private:
  [[nodiscard]] int64_t inputs() const { return ring().tile_inputs; }
};

/// A packed matrix as kernels see it.
struct PackedMatrix {
  PackedLayout layout;
  const Packed128 *headers, *words;  ///< of a format of rings
  const std::byte* bytes;            ///< of another format, at any address
};

/// The layout of a tensor of that shape: rows are its first axis, columns all others. Error{shape}
/// naming `op` for fewer than two axes, for an empty tensor, and for sizes whose words overflow.
PackedLayout packed_layout(const Codec& format, const Shape& shape, const char* op);

/// The largest of these: that of r = 1 - 2^-20.
inline constexpr float kLargestScale = 14.55608F;
/// The factor that a group's header gives to the numbers of its words: 2 artanh r.
float packed_scale(const Packed128& header);
/// The angle between the layers in a group's header, in radians; 0 for formats of one layer.
float packed_angle(const Packed128& header);
/// The format in a group's header, which must be one that gyre wrote or checked.
const Codec& packed_format(const Packed128& header);
/// The seed of the Hadamard matrix in a group's header.
int packed_seed(const Packed128& header);
/// The header of a group in that format whose factor is as near to `scale` as r allows.
/// Error{numeric} for a scale above that of the largest r, 1 - 2^-20.
Packed128 packed_header(const RingFormat& format, int seed, double scale, double angle,
                        const char* op);

/// What kernels need to know of a format, and of the angle in a group's header.
PackedCode packed_code(const RingFormat& format);
PackedAngle packed_turn(const RingFormat& format, const Packed128& header);

/// The factor of an output in its row header: 2^(-c/16) for byte `output`, c from 0 to 254; 0 for
/// 255.
float row_factor(const Packed128& row_header, int output);
/// The row header whose factors are as near as they can be to sizes over the largest of them.
Packed128 row_header(const double (&sizes)[kTileOutputs]);

/// The header that tells a format without rings.
Packed128 matrix_header(const Codec& format);

/// Error{parse} naming `what` unless the headers of a tensor are right: all groups in its format
/// and with one seed, no bit set that is not used, r in [0, 1 - 2^-20], a finite angle.
void check_headers(const PackedLayout& layout, std::span<const Packed128> headers,
                   const std::string& what);

}  // namespace gyre
