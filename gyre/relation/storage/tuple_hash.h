#pragma once
#include <cstdint>

namespace gyre {

/// 2^64 over the golden ratio, the multiplier of Fibonacci hashing.
constexpr uint64_t kHashFactor = 0x9E3779B97F4A7C15;

/// A bijection of 64-bit numbers whose top bits depend on all bits.
constexpr uint64_t mix_hash(uint64_t key) {
  key = (key ^ key >> 32) * 0xBF58476D1CE4E5B9;
  return (key ^ key >> 29) * kHashFactor;
}

/// A tuple of at most two numbers as one number.
constexpr uint64_t packed_pair(const uint32_t* tuple, int arity) {
  return arity == 2 ? uint64_t{tuple[0]} << 32 | tuple[1] : arity == 1 ? tuple[0] : 0;
}

/// A hash of `arity` numbers.
constexpr uint64_t hash_tuple(const uint32_t* tuple, int arity) {
  uint64_t hash = static_cast<uint64_t>(arity);
  for (int i = 0; i < arity; ++i) hash = mix_hash(hash + tuple[i]);
  return hash;
}

}  // namespace gyre
