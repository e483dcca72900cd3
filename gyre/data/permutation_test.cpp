#include "gyre/data/permutation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "gyre/base/error.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

bool is_permutation(int64_t n, uint64_t seed) {
  const Permutation p(n, seed);
  std::vector<bool> seen(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) {
    const int64_t x = p[i];
    if (x < 0 || x >= n || seen[static_cast<size_t>(x)]) return false;
    seen[static_cast<size_t>(x)] = true;
  }
  return true;
}

TEST(Permutation, HasEveryElementOnce) {
  for (int64_t n = 0; n <= 300; ++n) {
    for (uint64_t seed : {0, 1, 2}) ASSERT_TRUE(is_permutation(n, seed)) << n << " " << seed;
  }
  for (int64_t n : {4095, 4096, 4097, 100003, 1 << 18}) ASSERT_TRUE(is_permutation(n, 7)) << n;
}

TEST(Permutation, CoversLargeRanges) {
  for (int64_t n : {int64_t{3} << 40, INT64_MAX}) {
    const Permutation p(n, 1);
    int64_t least = n, most = 0;
    for (int64_t i = 0; i < 1000; ++i) {
      const int64_t x = p[n - 1 - i];
      ASSERT_TRUE(x >= 0 && x < n);
      least = std::min(least, x);
      most = std::max(most, x);
    }
    EXPECT_LT(least, n / 50);  // missed with probability exp(-20)
    EXPECT_GT(most, n - n / 50);
  }
}

/// The chi-square statistic, the sum of (seen - expected)^2 / expected: if all cells are equally
/// likely, its mean is the number of cells minus 1 and its variance twice that.
void expect_even(const std::vector<int64_t>& cells, int64_t total) {
  const double expected = static_cast<double>(total) / static_cast<double>(cells.size());
  const double free = static_cast<double>(cells.size() - 1);
  double sum = 0;
  for (int64_t seen : cells) {
    sum += (static_cast<double>(seen) - expected) * (static_cast<double>(seen) - expected);
  }
  EXPECT_LT(std::abs(sum / expected - free), 5 * std::sqrt(2 * free));
}

TEST(Permutation, IsUniformForFiveElements) {
  constexpr int64_t kDraws = 60000;
  std::vector<int64_t> cells(120);
  for (int64_t seed = 0; seed < kDraws; ++seed) {
    const Permutation p(5, static_cast<uint64_t>(seed));
    const int64_t order[] = {p[0], p[1], p[2], p[3], p[4]};
    size_t number = 0;
    for (size_t i = 0; i < 5; ++i) {
      size_t smaller = 0;
      for (size_t j = i + 1; j < 5; ++j) smaller += order[j] < order[i];
      number = number * (5 - i) + smaller;
    }
    ++cells[number];
  }
  expect_even(cells, kDraws);
}

TEST(Permutation, SeparatesNeighbours) {
  for (int64_t n : {1000, 1 << 16}) {
    std::vector<int64_t> places(100), steps(100);
    int64_t total = 0;
    for (uint64_t seed = 0; seed < 2000; ++seed) {
      const Permutation p(n, seed);
      for (int64_t i = 0; i + 1 < n; i += n / 10, ++total) {
        ++places[static_cast<size_t>(p[i] * 100 / n)];
        ++steps[static_cast<size_t>(((p[i + 1] - p[i] + n) % n) * 100 / n)];
      }
    }
    expect_even(places, total);
    // a difference of 0 cannot occur: 1 of n is missing in the first cell
    expect_even(steps, total);
  }
}

// Values from an independent Python implementation of the description.
TEST(Permutation, IsTheSameOnEveryMachine) {
  std::vector<int64_t> found;
  const Permutation p(10, 42);
  for (int64_t i = 0; i < 10; ++i) found.push_back(p[i]);
  EXPECT_EQ(found, (std::vector<int64_t>{2, 5, 7, 9, 3, 6, 0, 8, 1, 4}));
  EXPECT_EQ(Permutation(int64_t{1} << 40, 42)[12345], 440668133533);
}

TEST(Permutation, RejectsIndicesOutOfRange) {
  EXPECT_EQ(code_of([] { Permutation(-1, 0); }), Code::value);
  const Permutation p(3, 0);
  EXPECT_EQ(code_of([&] { (void)p[3]; }), Code::index);
  EXPECT_EQ(code_of([&] { (void)p[-1]; }), Code::index);
}

}  // namespace
}  // namespace gyre
