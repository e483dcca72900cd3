#pragma once
#include <array>
#include <cstdint>

#include "gyre/base/philox_rounds.h"
#include "gyre/base/scoped_value.h"

namespace gyre {

/// Four 32-bit words of Philox-4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2,
/// 3", 2011) for a 64-bit key and a 128-bit counter. Counter-based: the same words on every device
/// and for any number of threads.
constexpr std::array<uint32_t, 4> philox(uint64_t key, uint64_t counter_low,
                                         uint64_t counter_high = 0) {
  uint32_t c[] = {static_cast<uint32_t>(counter_low), static_cast<uint32_t>(counter_low >> 32),
                  static_cast<uint32_t>(counter_high), static_cast<uint32_t>(counter_high >> 32)};
  philox_rounds(c, key, [](uint32_t a, uint32_t b) { return uint64_t{a} * b; });
  return {c[0], c[1], c[2], c[3]};
}

/// State of a random number generator: a seed and the number of counters used. A random op takes
/// both as attributes and advances the offset by the most it may use, so that recomputation repeats
/// it.
struct Generator {
  uint64_t seed = 0, offset = 0;
};

/// The default generator of this thread, seeded 0 until `manual_seed`.
Generator& default_generator() noexcept;
void manual_seed(uint64_t seed) noexcept;

/// Replaces the default generator of the thread for a scope.
struct GeneratorScope : ScopedValue<Generator> {
  [[nodiscard]] explicit GeneratorScope(const Generator& now)
      : ScopedValue(default_generator(), now) {}
};

}  // namespace gyre
