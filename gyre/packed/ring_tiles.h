#pragma once
#include <stdint.h>

namespace gyre {

/// States of a step: windows of 11 bits.
inline constexpr int kRingWindow = 11, kRingStates = 1 << kRingWindow;

/// A format as its tiles see it. In a ring R of bits * steps bits, step t has the state of 11 bits
/// R[bits t], R[bits t + 1], ... (cyclic, the first is the lowest) and stands for values[state].
struct RingCode {
  int bits;             ///< of a step, 1 to 4
  int steps;            ///< of a ring, at most 128
  const float* values;  ///< [kRingStates], fastest if aligned to 64 bytes
};

/// Memory of a search.
struct RingMemory {
  alignas(64) float costs[(2 * 128 + 1) * kRingStates / 2];  ///< of two rounds
  uint16_t groups[2 * 128 + 1];
};

/// What an instruction set gives to encoding.
struct RingTiles {
  /// Writes the states [steps] of the ring whose values are nearest to x [steps], by Viterbi's
  /// algorithm; where x is NaN any value does. Takes one to three rounds, 1.7 of independent normal
  /// numbers. The same states on every instruction set.
  void (*encode)(const RingCode& code, const float* x, uint16_t* states,
                 RingMemory& memory) noexcept;
};

}  // namespace gyre
