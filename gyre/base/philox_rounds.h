#pragma once
#include <stdint.h>

namespace gyre {

/// The ten rounds of Philox-4x32: counter words c become random words. U is uint32_t, or a vector
/// of 64-bit lanes with a word in the lower half of each; upper halves end undefined. multiply(a,
/// b) is the 64-bit product of words. No std: host, kernel objects and devices share this function.
template <class U, class F>
[[gnu::always_inline]] constexpr void philox_rounds(U (&c)[4], uint64_t key, F multiply) {
  auto k0 = static_cast<uint32_t>(key), k1 = static_cast<uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const auto p0 = multiply(c[0], 0xD2511F53), p1 = multiply(c[2], 0xCD9E8D57);
    c[0] = U(p1 >> 32) ^ c[1] ^ k0;
    c[2] = U(p0 >> 32) ^ c[3] ^ k1;
    c[1] = U(p1);
    c[3] = U(p0);
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
}

}  // namespace gyre
