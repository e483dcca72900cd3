#include "gyre/base/xxhash64.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace gyre {
namespace {

constexpr uint64_t kPrime1 = 0x9E3779B185EBCA87, kPrime2 = 0xC2B2AE3D27D4EB4F,
                   kPrime3 = 0x165667B19E3779F9, kPrime4 = 0x85EBCA77C2B2AE63,
                   kPrime5 = 0x27D4EB2F165667C5;

template <class T>
T load(const std::byte* from) {
  static_assert(std::endian::native == std::endian::little);
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

uint64_t mix(uint64_t lane, uint64_t word) {
  return std::rotl(lane + word * kPrime2, 31) * kPrime1;
}

}  // namespace

Xxhash64::Xxhash64(uint64_t seed)
    : lanes_{seed + kPrime1 + kPrime2, seed + kPrime2, seed, seed - kPrime1}, seed_(seed) {}

void Xxhash64::stripe(const std::byte* from) {
  for (int i = 0; i < 4; ++i) lanes_[i] = mix(lanes_[i], load<uint64_t>(from + 8 * i));
}

void Xxhash64::update(std::span<const std::byte> bytes) {
  total_ += bytes.size();
  const std::byte* at = bytes.data();
  size_t left = bytes.size();
  if (held_ > 0) {
    const size_t taken = std::min(left, sizeof rest_ - held_);
    if (taken > 0) std::memcpy(rest_ + held_, at, taken);
    held_ += taken, at += taken, left -= taken;
    if (held_ < sizeof rest_) return;
    stripe(rest_);
    held_ = 0;
  }
  for (; left >= sizeof rest_; at += sizeof rest_, left -= sizeof rest_) stripe(at);
  if (left > 0) std::memcpy(rest_, at, left);
  held_ = left;
}

uint64_t Xxhash64::digest() const {
  uint64_t hash = seed_ + kPrime5;
  if (total_ >= sizeof rest_) {
    hash = std::rotl(lanes_[0], 1) + std::rotl(lanes_[1], 7) + std::rotl(lanes_[2], 12) +
           std::rotl(lanes_[3], 18);
    for (const uint64_t lane : lanes_) hash = (hash ^ mix(0, lane)) * kPrime1 + kPrime4;
  }
  hash += total_;
  const std::byte* at = rest_;
  const std::byte* const end = rest_ + held_;
  for (; end - at >= 8; at += 8) {
    hash = std::rotl(hash ^ mix(0, load<uint64_t>(at)), 27) * kPrime1 + kPrime4;
  }
  if (end - at >= 4) {
    hash = std::rotl(hash ^ load<uint32_t>(at) * kPrime1, 23) * kPrime2 + kPrime3;
    at += 4;
  }
  for (; at < end; ++at) hash = std::rotl(hash ^ load<uint8_t>(at) * kPrime5, 11) * kPrime1;
  hash = (hash ^ hash >> 33) * kPrime2;
  hash = (hash ^ hash >> 29) * kPrime3;
  return hash ^ hash >> 32;
}

}  // namespace gyre
