#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "gyre/packed/word.h"

namespace gyre {

/// A format in which a word stands for `steps` numbers, `bits` bits each (packed/ring_tiles.h).
/// Bits of the word above bits * steps are zero.
struct RingFormat {
  const char* name;
  int bits, steps;       ///< bits * steps is at most 128
  uint32_t multipliers;  ///< of the generator, 16 bits each
  int tile_words;        ///< words of a tile of 16 outputs (packed/packed_layout.h)
  int tile_inputs;       ///< inputs of a tile; 16 * tile_inputs = steps * tile_words
};

/// Every format of packed/ring_formats.def.
std::span<const RingFormat> ring_formats();
/// The format of that name. Error{value}, which lists the names, if there is none.
const RingFormat& ring_format(std::string_view name);

/// How the four bytes of state times each multiplier modulo 2^16 become the number of a state:
/// (sum of the bytes - mean) * scale, in f32, with mean 0 and variance 1 over all states.
struct RingScale {
  float mean = 0, scale = 1;
};
RingScale ring_scale(const RingFormat& format);
/// The numbers of the 2,048 states.
std::span<const float> ring_values(const RingFormat& format);

/// The state of step t.
int ring_state(const RingFormat& format, const Packed128& word, int t);

/// Writes the words whose numbers are nearest to x, which has `steps` of them a word, on the
/// threads of the pool; the same words on any number of threads and every instruction set. NaN
/// stands for any number. Error{shape} when sizes do not fit, Error{numeric} for infinite numbers.
void encode_rings(const RingFormat& format, std::span<const float> x, std::span<Packed128> words);

/// The numbers of words, `steps` for each. Error{shape} when sizes do not fit.
void decode_rings(const RingFormat& format, std::span<const Packed128> words, std::span<float> x);

}  // namespace gyre
