#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace gyre {

/// Incremental XXH64 (xxhash.com, specification 0.1.1): a fast 64-bit checksum, not cryptographic.
/// The value does not depend on how the bytes are split.
class Xxhash64 {
 public:
  explicit Xxhash64(uint64_t seed = 0);
  void update(std::span<const std::byte> bytes);
  void update(std::string_view text) { update(std::as_bytes(std::span(text))); }
  [[nodiscard]] uint64_t digest() const;

 private:
  void stripe(const std::byte* from);

  uint64_t lanes_[4];
  uint64_t seed_;
  uint64_t total_ = 0;
  std::byte rest_[32];
  size_t held_ = 0;
};

/// Hash of a whole text.
inline uint64_t xxhash64(std::string_view text) {
  Xxhash64 hash;
  hash.update(text);
  return hash.digest();
}

}  // namespace gyre
