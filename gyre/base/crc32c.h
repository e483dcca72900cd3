#pragma once
#include <cstdint>
#include <string_view>

namespace gyre {

/// CRC-32C (Castagnoli; RFC 3720, appendix B.4): polynomial 0x1EDC6F41, reflected, initial value
/// and final xor 0xFFFFFFFF.
[[nodiscard]] uint32_t crc32c(std::string_view bytes) noexcept;

}  // namespace gyre
