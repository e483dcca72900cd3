#pragma once
#include <bit>
#include <cstdint>
#include <type_traits>

#include "gyre/base/half.h"

// Sort keys: elements as unsigned integers whose order is the sort order: NaN above all numbers and
// equal to itself, -0 equal to 0.

namespace gyre {

inline uint32_t key_of(float x) {
  if (x != x) return UINT32_MAX;
  auto bits = std::bit_cast<uint32_t>(x == 0 ? 0.0f : x);
  return bits >> 31 ? ~bits : bits | uint32_t{1} << 31;
}
inline uint64_t key_of(double x) {
  if (x != x) return UINT64_MAX;
  auto bits = std::bit_cast<uint64_t>(x == 0 ? 0.0 : x);
  return bits >> 63 ? ~bits : bits | uint64_t{1} << 63;
}
inline uint32_t key_of(f16 x) { return key_of(to_float(x)); }
inline uint32_t key_of(bf16 x) { return key_of(to_float(x)); }
template <class T>
  requires std::is_integral_v<T>
auto key_of(T x) {
  using Key = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  constexpr Key kShift = std::is_signed_v<T> ? Key{1} << (8 * sizeof(Key) - 1) : Key{0};
  return static_cast<Key>(static_cast<Key>(x) ^ kShift);
}
template <class T>
using KeyOf = decltype(key_of(T()));

/// A key and its original position; the position breaks ties, so entries are never equal and every
/// sorting algorithm gives the same result.
template <class Key>
struct Entry;
template <>
struct Entry<uint32_t> {
  uint64_t both = 0;
  Entry() = default;
  Entry(uint32_t key, int64_t place) : both(uint64_t{key} << 32 | static_cast<uint32_t>(place)) {}
  uint32_t key() const { return static_cast<uint32_t>(both >> 32); }
  int64_t place() const { return static_cast<int64_t>(both & UINT32_MAX); }
  bool operator<(const Entry& o) const { return both < o.both; }
};
template <>
struct Entry<uint64_t> {
  uint64_t by = 0;
  int64_t at = 0;
  Entry() = default;
  Entry(uint64_t key, int64_t place) : by(key), at(place) {}
  uint64_t key() const { return by; }
  int64_t place() const { return at; }
  bool operator<(const Entry& o) const { return by != o.by ? by < o.by : at < o.at; }
};
/// The longest row whose positions fit Entry<uint32_t>.
inline constexpr int64_t kMostNarrow = int64_t{1} << 32;

}  // namespace gyre
