#pragma once
#include <stdint.h>

namespace gyre {

/// Loops over words of bits, compiled once for each instruction set.
struct BitTiles {
  /// to |= the rows `rows[0]` to `rows[count - 1]` of a matrix with rows of `words` words.
  void (*gather)(uint64_t* to, const uint64_t* matrix, int64_t words, const uint32_t* rows,
                 int64_t count) noexcept;
  /// Whether `found` has a bit that `known` has not.
  bool (*adds)(const uint64_t* known, const uint64_t* found, int64_t words) noexcept;
  /// Adds the bits of `found` that `known` has not to both `fresh` and `known`, and returns their
  /// number.
  int64_t (*merge)(uint64_t* known, uint64_t* fresh, const uint64_t* found, int64_t words) noexcept;
  /// The number of bits.
  int64_t (*count)(const uint64_t* words, int64_t number) noexcept;
};

/// Those of the instruction set in use.
const BitTiles& bit_tiles();

}  // namespace gyre
