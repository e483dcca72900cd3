#include "gyre/data/permutation.h"

#include <algorithm>
#include <bit>

#include "gyre/base/error.h"
#include "gyre/data/draw.h"

namespace gyre {

Permutation::Permutation(int64_t n, uint64_t seed) : n_(n) {
  if (n < 0) {
    throw Error(Code::value, "permutation", {"cannot permute ", n, " elements"}, ">= 0", n);
  }
  // Halves of 1 or 2 bits have few round functions, which would bias the permutation.
  constexpr int kLeastBits = 6;
  const int bits =
      std::max(kLeastBits, static_cast<int>(std::bit_width(static_cast<uint64_t>(n) - (n > 0))));
  left_ = bits / 2;
  right_ = bits - left_;
  for (int i = 0; i < kRounds; ++i) keys_[i] = draw(seed, static_cast<uint64_t>(i));
}

uint64_t Permutation::mixed(uint64_t x) const {
  const uint64_t left_mask = (uint64_t{1} << left_) - 1, right_mask = (uint64_t{1} << right_) - 1;
  uint64_t left = x >> right_, right = x & right_mask;
  for (int i = 0; i < kRounds; i += 2) {
    left ^= draw(keys_[i], right) & left_mask;
    right ^= draw(keys_[i + 1], left) & right_mask;
  }
  return left << right_ | right;
}

int64_t Permutation::operator[](int64_t i) const {
  if (i < 0 || i >= n_) {
    throw Error(Code::index, "permutation", {"index ", i, " is out of range for ", n_, " elements"},
                {"[0, ", n_, ")"}, i);
  }
  auto x = static_cast<uint64_t>(i);
  do {
    x = mixed(x);
  } while (x >= static_cast<uint64_t>(n_));
  return static_cast<int64_t>(x);
}

}  // namespace gyre
