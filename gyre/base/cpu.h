#pragma once
#include <cstdint>

// The build says which kernels it makes; without a word, all that the processor's family has.
#if !defined(GYRE_ISAS) && defined(__x86_64__)
#define GYRE_ISAS 7
#elif !defined(GYRE_ISAS)
#define GYRE_ISAS 1
#endif

namespace gyre {

/// Levels of the instruction set, in ascending order; kernel objects exist once for each that was
/// built. On other processors than x86-64 v2 names the only set there is (128-bit vectors).
enum Isa : uint8_t { v2, v3, v4, isas };

/// Some of the levels: bit i for Isa(i).
using IsaSet = unsigned;
inline constexpr IsaSet kAllIsas = 7;
/// Those that kernels were built for.
IsaSet built_isas() noexcept;

/// What the CPU (and the operating system, for wide registers) offers beyond its level.
struct CpuFeatures {
  Isa best = v2;
  bool avx_vnni = false, avx512_vnni = false, avx512_bf16 = false;
};

/// Read by CPUID once.
const CpuFeatures& cpu_features() noexcept;

/// The level in use for the whole process: GYRE_ISA=v2|v3|v4 if set and not empty, otherwise the
/// best that was built and the CPU has. Throws Error{value} when GYRE_ISA is another word and
/// Error{unavailable} when that level was not built or the CPU lacks it, at every call.
Isa isa();

/// Uses `level` from now on, whatever GYRE_ISA says (for tests, between operations). Throws
/// Error{unavailable} when it was not built or the CPU lacks it.
void set_isa(Isa level);

/// "v2", "v3" or "v4".
const char* isa_name(Isa isa) noexcept;

/// The rule of isa(): `wanted` is the value of GYRE_ISA or null.
Isa choose_isa(const char* wanted, Isa best, IsaSet built = kAllIsas);

}  // namespace gyre
