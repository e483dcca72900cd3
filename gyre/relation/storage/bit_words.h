#pragma once
#include <cstdint>

namespace gyre {

/// 64 members of a set of numbers a word: number i is bit i % 64 of word i / 64.
constexpr int64_t words_for(int64_t bits) { return (bits + 63) / 64; }

inline bool has_bit(const uint64_t* words, uint32_t i) { return words[i / 64] >> (i % 64) & 1; }
inline void set_bit(uint64_t* words, uint32_t i) { words[i / 64] |= uint64_t{1} << (i % 64); }

/// The number of members; without the instruction, which the baseline of x86-64 lacks.
constexpr int count_bits(uint64_t word) {
  word -= word >> 1 & 0x5555555555555555;
  word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
  word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0F;
  return static_cast<int>(word * 0x0101010101010101 >> 56);
}

inline int64_t count_bits(const uint64_t* words, int64_t count) {
  int64_t bits = 0;
  for (int64_t w = 0; w < count; ++w) bits += count_bits(words[w]);
  return bits;
}

/// to |= from
inline void or_words(uint64_t* __restrict to, const uint64_t* __restrict from, int64_t count) {
  int64_t w = 0;
  for (; w + 4 <= count; w += 4) {
    for (int64_t i = 0; i < 4; ++i) to[w + i] |= from[w + i];
  }
  for (; w < count; ++w) to[w] |= from[w];
}

/// Calls f(uint32_t) for each member, ascending, until f returns false; whether it never did.
template <class F>
bool for_bits(const uint64_t* words, int64_t count, F f) {
  for (int64_t w = 0; w < count; ++w) {
    for (uint64_t left = words[w]; left; left &= left - 1) {
      if (!f(static_cast<uint32_t>(64 * w + __builtin_ctzll(left)))) return false;
    }
  }
  return true;
}

}  // namespace gyre
