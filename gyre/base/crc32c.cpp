#include "gyre/base/crc32c.h"

#include <array>

namespace gyre {
namespace {

constexpr uint32_t kReflected = 0x82F63B78;

constexpr std::array<uint32_t, 256> remainders() {
  std::array<uint32_t, 256> table{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t r = byte;
    for (int bit = 0; bit < 8; ++bit) r = r >> 1 ^ (r & 1 ? kReflected : 0);
    table[byte] = r;
  }
  return table;
}

constexpr std::array<uint32_t, 256> kTable = remainders();

}  // namespace

uint32_t crc32c(std::string_view bytes) noexcept {
  uint32_t crc = ~uint32_t{0};
  for (char c : bytes) crc = crc >> 8 ^ kTable[(crc ^ static_cast<unsigned char>(c)) & 0xFF];
  return ~crc;
}

}  // namespace gyre
