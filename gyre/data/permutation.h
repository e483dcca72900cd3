#pragma once
#include <array>
#include <cstdint>

namespace gyre {

/// An order of 0, 1, ..., n - 1 drawn by a seed, without a table: the element at any place is
/// computed from the place. The same on every machine.
///
/// A Feistel network permutes the smallest power of two that holds n (at least 64), its rounds
/// being numbers of draw(); what lands at or beyond n walks on along its cycle until it lands below
/// (Black and Rogaway, "Ciphers with arbitrary finite domains", 2002), which takes two steps at
/// most in the mean for n above 32.
class Permutation {
 public:
  /// Error{value} for n < 0.
  Permutation(int64_t n, uint64_t seed);

  [[nodiscard]] int64_t size() const { return n_; }
  /// The element at place i, different for every i. Error{index} unless 0 <= i < n.
  [[nodiscard]] int64_t operator[](int64_t i) const;

 private:
  [[nodiscard]] uint64_t mixed(uint64_t x) const;

  static constexpr int kRounds = 8;
  int64_t n_;
  int left_ = 0, right_ = 0;  // bits of the two halves
  std::array<uint64_t, kRounds> keys_{};
};

}  // namespace gyre
