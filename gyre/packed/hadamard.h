#pragma once
#include <cstdint>
#include <vector>

namespace gyre {

/// The randomised Hadamard transform that packed weights are stored in: an orthogonal matrix that
/// makes the entries of a row alike, whatever their sizes were. n numbers are cut into blocks of
/// powers of two, the largest first; each gets signs and a Walsh-Hadamard transform over the square
/// root of its size. The same bits on every instruction set.
class Hadamard {
 public:
  static constexpr int kSeedBits = 11, kLargestSeed = (1 << kSeedBits) - 1;

  /// For rows of n numbers. Seeds are 1 to 2047; 0 is the identity.
  Hadamard(int seed, int64_t n);
  /// x H, in place.
  void apply(float* x) const;
  /// x H^-1, in place.
  void undo(float* x) const;

 private:
  void flip(float* x) const;
  int64_t n_;
  std::vector<float> signs_;  // none for the identity
};

}  // namespace gyre
