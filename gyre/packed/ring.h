#pragma once
#include <cstdint>
#include <span>

namespace gyre {

/// A word of packed weights.
struct Packed128 {
  uint64_t hi = 0, lo = 0;
  friend bool operator==(const Packed128&, const Packed128&) = default;
};

/// A format in which a word stands for `steps` numbers, `bits` bits each (packed/ring_tiles.h).
/// Bits of the word above bits * steps are zero.
struct RingFormat {
  const char* name;
  int bits, steps;       ///< bits * steps is at most 128
  uint32_t multipliers;  ///< of the generator, 16 bits each
};

/// Every format of packed/ring_formats.def.
std::span<const RingFormat> ring_formats();
/// The format of that name. Error{value}, which lists the names, if there is none.
const RingFormat& ring_format(const char* name);

/// The numbers of the 2,048 states: the sum of the four bytes of state times each multiplier modulo
/// 2^16, minus its mean over all states, over its standard deviation.
std::span<const float> ring_values(const RingFormat& format);

/// The state of step t.
int ring_state(const RingFormat& format, const Packed128& word, int t);

/// Writes the words whose numbers are nearest to x, which has `steps` of them a word, on the
/// threads of the pool; the same words on any number of threads and every instruction set.
/// Error{shape} when sizes do not fit, Error{numeric} for a number that is not finite.
void encode_rings(const RingFormat& format, std::span<const float> x, std::span<Packed128> words);

/// The numbers of words, `steps` for each. Error{shape} when sizes do not fit.
void decode_rings(const RingFormat& format, std::span<const Packed128> words, std::span<float> x);

}  // namespace gyre
