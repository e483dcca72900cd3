#pragma once
#include <cstdint>

namespace gyre {

/// Element i of a stream of random 64-bit words: splitmix64 (Steele, Lea and Flood 2014) as a
/// counter-based generator, easy to reproduce in any language.
constexpr uint64_t draw(uint64_t seed, uint64_t i) {
  uint64_t z = seed + (i + 1) * 0x9E3779B97F4A7C15;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
  z = (z ^ z >> 27) * 0x94D049BB133111EB;
  return z ^ z >> 31;
}

}  // namespace gyre
