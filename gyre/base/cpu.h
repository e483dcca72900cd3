#pragma once
#include <cstdint>

namespace gyre {

/// Instruction sets that kernels are compiled for: x86-64-v2, v3 (AVX2, FMA), v4 (AVX-512). On other
/// architectures v2 stands for the baseline and is the only one.
enum Isa : uint8_t { v2, v3, v4 };
inline constexpr int kIsas = 3;

/// The instruction set kernels run with: the best this CPU has, or the one GYRE_ISA names.
/// Error{unavailable} when that one is not to be had, Error{value} for an unknown name.
Isa isa();
/// The best this CPU has.
Isa best_isa() noexcept;
/// "v2", "v3", "v4".
const char* isa_name(Isa isa) noexcept;
/// Uses `isa` from now on (tests). Error{unavailable} when the CPU lacks it.
void set_isa(Isa isa);

}  // namespace gyre
