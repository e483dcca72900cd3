#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace gyre {

/// A fast 64-bit hash of a short text, for in-memory tables: folded 64 x 64 bit products as in
/// wyhash. Values may differ between machines and are never stored.
inline uint64_t piece_hash(std::string_view text) {
  constexpr uint64_t kFirst = 0x9E3779B97F4A7C15, kSecond = 0xD6E8FEB86659FD93;
  const auto word = [&](size_t at) {
    uint64_t value;
    std::memcpy(&value, text.data() + at, sizeof value);
    return value;
  };
  const auto half = [&](size_t at) {
    uint32_t value;
    std::memcpy(&value, text.data() + at, sizeof value);
    return static_cast<uint64_t>(value);
  };
  const auto fold = [](uint64_t a, uint64_t b) {
    const auto product = static_cast<unsigned __int128>(a) * b;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
  };
  const size_t size = text.size();
  uint64_t hash = size * kFirst;
  size_t at = 0;
  for (; at + 16 < size; at += 8) hash = fold(hash ^ word(at) ^ kFirst, kSecond);
  uint64_t a = 0, b = 0;
  if (size >= 8) {
    a = word(at);
    b = word(size - 8);
  } else if (size >= 4) {
    a = half(0);
    b = half(size - 4);
  } else if (size > 0) {
    const auto byte = [&](size_t i) {
      return static_cast<uint64_t>(static_cast<uint8_t>(text[i]));
    };
    a = byte(0) << 16 | byte(size / 2) << 8 | byte(size - 1);
  }
  return fold(hash ^ a ^ kFirst, b ^ hash ^ kSecond);
}

}  // namespace gyre
