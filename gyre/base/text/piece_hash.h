#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace gyre {

/// Two integers that determine a text of known size, at most 16 bytes.
struct ShortText {
  uint64_t a = 0, b = 0;

  ShortText(const char* text, size_t size) {
    if (size >= 8) {
      a = load<uint64_t>(text);
      b = load<uint64_t>(text + size - 8);
    } else if (size >= 4) {
      a = load<uint32_t>(text);
      b = load<uint32_t>(text + size - 4);
    } else if (size > 0) {
      const auto byte = [&](size_t i) { return uint64_t{static_cast<uint8_t>(text[i])}; };
      a = byte(0) << 16 | byte(size / 2) << 8 | byte(size - 1);
    }
  }
  bool operator==(const ShortText&) const = default;

  template <class T>
  static T load(const char* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
  }
};

/// A fast 64-bit hash of a short text, for in-memory tables: folded 64 x 64 bit products as in
/// wyhash. Values may differ between machines and are never stored.
inline uint64_t piece_hash(std::string_view text) {
  constexpr uint64_t kFirst = 0x9E3779B97F4A7C15, kSecond = 0xD6E8FEB86659FD93;
  const auto fold = [](uint64_t a, uint64_t b) {
    const auto product = static_cast<unsigned __int128>(a) * b;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
  };
  uint64_t hash = text.size() * kFirst;
  for (; text.size() > 16; text.remove_prefix(8)) {
    hash = fold(hash ^ ShortText::load<uint64_t>(text.data()) ^ kFirst, kSecond);
  }
  const ShortText rest(text.data(), text.size());
  return fold(hash ^ rest.a ^ kFirst, rest.b ^ hash ^ kSecond);
}

/// Whether the first `size` bytes are equal; faster than memcmp for short texts.
inline bool same_piece(const char* a, const char* b, size_t size) {
  return size > 16 ? std::memcmp(a, b, size) == 0 : ShortText(a, size) == ShortText(b, size);
}

}  // namespace gyre
