#include "gyre/packed/hadamard.h"

#include <bit>

#include "gyre/packed/packed_product.h"

namespace gyre {
namespace {

void transform_blocks(float* x, int64_t n) {
  while (n > 0) {
    const auto block = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(n)));
    packed_tiles().hadamard(x, block);
    x += block;
    n -= block;
  }
}

}  // namespace

// Signs are the lowest bits of a linear feedback shift register, x^11 + x^9 + 1.
Hadamard::Hadamard(int seed, int64_t n) : n_(n) {
  auto state = static_cast<unsigned>(seed);
  for (int64_t i = 0; seed > 0 && i < n; ++i) {
    signs_.push_back(state & 1 ? -1.0F : 1.0F);
    const unsigned next = (state ^ state >> 2) & 1;
    state = state >> 1 | next << (kSeedBits - 1);
  }
}

void Hadamard::flip(float* x) const {
  for (size_t i = 0; i < signs_.size(); ++i) x[i] *= signs_[i];
}

void Hadamard::apply(float* x) const {
  if (signs_.empty()) return;
  flip(x);
  transform_blocks(x, n_);
}

void Hadamard::undo(float* x) const {
  if (signs_.empty()) return;
  transform_blocks(x, n_);
  flip(x);
}

}  // namespace gyre
