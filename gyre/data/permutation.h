#pragma once
#include <array>
#include <cstdint>

namespace gyre {

/// A random permutation of 0, 1, ..., n - 1 given by a seed; each element is computed from its
/// position, without a table. The same on every machine.
///
/// A Feistel network permutes the smallest power of two that is at least n (and 64), with round
/// keys from draw(); results of n or more are permuted again until they fall below n (cycle
/// walking; Black and Rogaway, "Ciphers with arbitrary finite domains", 2002), on average at most
/// two steps for n above 32.
class Permutation {
 public:
  /// Error{value} for n < 0.
  Permutation(int64_t n, uint64_t seed);

  [[nodiscard]] int64_t size() const { return n_; }
  /// The element at position i, a bijection. Error{index} unless 0 <= i < n.
  [[nodiscard]] int64_t operator[](int64_t i) const;

 private:
  [[nodiscard]] uint64_t mixed(uint64_t x) const;

  static constexpr int kRounds = 8;
  int64_t n_;
  int left_ = 0, right_ = 0;  // bits of the two halves
  std::array<uint64_t, kRounds> keys_{};
};

}  // namespace gyre
