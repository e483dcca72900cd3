#pragma once
#include <stdint.h>

namespace gyre {

/// A word of packed weights: 128 bits, of which bit 0 is the lowest of `lo`.
struct Packed128 {
  uint64_t hi = 0, lo = 0;
  friend bool operator==(const Packed128&, const Packed128&) = default;
};

}  // namespace gyre
