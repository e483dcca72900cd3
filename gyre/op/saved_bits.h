#pragma once
#include <cstddef>
#include <cstdint>

namespace gyre {

/// Whether backward needs operand i by OpDef::saves_in, or result i by saves_out: bit i; the last
/// bit stands for all later ones.
constexpr bool is_saved(uint64_t bits, size_t i) { return bits >> (i < 63 ? i : 63) & 1; }

}  // namespace gyre
