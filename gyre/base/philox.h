#pragma once
#include <array>
#include <cstdint>

namespace gyre {

/// Four 32-bit words of Philox-4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2,
/// 3", 2011) for a 64-bit key and a 128-bit counter. Counter-based: the same words on every device
/// and for any number of threads.
constexpr std::array<uint32_t, 4> philox(uint64_t key, uint64_t counter_low,
                                         uint64_t counter_high = 0) {
  uint32_t c0 = static_cast<uint32_t>(counter_low), c1 = static_cast<uint32_t>(counter_low >> 32);
  uint32_t c2 = static_cast<uint32_t>(counter_high), c3 = static_cast<uint32_t>(counter_high >> 32);
  uint32_t k0 = static_cast<uint32_t>(key), k1 = static_cast<uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    uint64_t p0 = uint64_t{0xD2511F53} * c0, p1 = uint64_t{0xCD9E8D57} * c2;
    uint32_t n0 = static_cast<uint32_t>(p1 >> 32) ^ c1 ^ k0;
    uint32_t n2 = static_cast<uint32_t>(p0 >> 32) ^ c3 ^ k1;
    c1 = static_cast<uint32_t>(p1);
    c3 = static_cast<uint32_t>(p0);
    c0 = n0;
    c2 = n2;
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return {c0, c1, c2, c3};
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
class GeneratorScope {
 public:
  [[nodiscard]] explicit GeneratorScope(const Generator& now) : before_(default_generator()) {
    default_generator() = now;
  }
  ~GeneratorScope() { default_generator() = before_; }
  GeneratorScope(const GeneratorScope&) = delete;
  GeneratorScope& operator=(const GeneratorScope&) = delete;

 private:
  Generator before_;
};

}  // namespace gyre
