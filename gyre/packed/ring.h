#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "gyre/packed/codec/codec.h"
#include "gyre/packed/ring_tiles.h"
#include "gyre/packed/word.h"

namespace gyre {

/// A format in which a word stands for `steps` numbers: a tail-biting trellis code, whose trellis
/// is a shift register of 11 bits (A. Tseng et al., "QTIP: Quantization with Trellises and
/// Incoherence Processing", 2024; there the ends do not meet). One layer: the word is a ring of
/// `bits` bits for each step (packed/ring_tiles.h); bits of the word above bits * steps are zero.
/// Two layers: `hi` is a ring of coarse numbers, `lo` one of refinements; the numbers are
/// cos(angle) hi + sin(angle) lo.
struct RingFormat : Codec {
  int layers, bits, steps;  ///< layers * bits * steps is at most 128
  uint32_t multipliers;     ///< of the generator, 16 bits each
  int tile_words;           ///< words of a tile of 16 outputs (packed/packed_layout.h)
  int tile_inputs;          ///< inputs of a tile; 16 * tile_inputs = steps * tile_words
  int tries;                ///< places from which the search for a ring begins
  double angle;             ///< of independent N(0, 1) numbers
};

/// The formats of rings, which come first of all.
std::span<const RingFormat> ring_formats();
/// The format of rings of that name. Error{value}, which lists the names, if there is none.
const RingFormat& ring_format(std::string_view name);
/// A format that has rings. Error{value} for another.
const RingFormat& ring_format(const Codec& format);

/// How the four bytes of state times each multiplier modulo 2^16 become the number of a state:
/// (sum of the bytes - mean) * scale, in f32, with mean 0 and variance 1 over all states.
struct RingScale {
  float mean = 0, scale = 1;
};
RingScale ring_scale(const RingFormat& format);
/// The kernels of the instruction set in use.
const RingTiles& ring_tiles();

/// The numbers of the 2,048 states.
std::span<const float> ring_values(const RingFormat& format);

/// The state of step t in a layer.
int ring_state(const RingFormat& format, const Packed128& word, int layer, int t);

/// Writes a layer of words, the rings whose numbers are nearest to x, which has `steps` of them a
/// word, on the threads of the pool; the same on any number of threads and every instruction set.
/// NaN stands for any number. Error{shape} when sizes do not fit, Error{numeric} for infinite
/// numbers.
void encode_rings(const RingFormat& format, int layer, std::span<const float> x,
                  std::span<Packed128> words);

/// The numbers of a layer of words, `steps` for each. Error{shape} when sizes do not fit.
void decode_rings(const RingFormat& format, int layer, std::span<const Packed128> words,
                  std::span<float> x);

}  // namespace gyre
