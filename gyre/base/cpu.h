#pragma once
#include <cstdint>

// Set by the build: the instruction sets that kernels are compiled for; by default all of the
// family.
#if !defined(GYRE_ISAS) && defined(__x86_64__)
#define GYRE_ISAS 7
#elif !defined(GYRE_ISAS)
#define GYRE_ISAS 1
#endif

namespace gyre {

/// Instruction set levels in ascending order (x86-64-v2, v3, v4); kernel objects exist once for
/// each level built. On other processors v2 is the only level (128-bit vectors).
enum Isa : uint8_t { v2, v3, v4, isas };

/// A set of levels: bit i for Isa(i).
using IsaSet = unsigned;
inline constexpr IsaSet kAllIsas = 7;
/// The levels that kernels were built for.
IsaSet built_isas() noexcept;

/// What the CPU (and the operating system, for wide registers) supports beyond its level.
struct CpuFeatures {
  Isa best = v2;
  bool avx_vnni = false, avx512_vnni = false, avx512_vbmi = false, avx512_bf16 = false;
};

/// Detected once by CPUID.
const CpuFeatures& cpu_features() noexcept;

/// The level in use in this process: GYRE_ISA=v2|v3|v4 if set and not empty, otherwise the best
/// that was built and that the CPU supports. Throws at every call: Error{value} for another value
/// of GYRE_ISA, Error{unavailable} when that level was not built or the CPU does not support it,
/// and the error of num_threads().
Isa isa();

/// Uses `level` from now on, overriding GYRE_ISA (for tests, between operations). Throws
/// Error{unavailable} when it was not built or the CPU does not support it.
void set_isa(Isa level);

/// "v2", "v3" or "v4".
const char* isa_name(Isa isa) noexcept;

/// The rule of isa(): `wanted` is the value of GYRE_ISA or null.
Isa choose_isa(const char* wanted, Isa best, IsaSet built = kAllIsas);

}  // namespace gyre
