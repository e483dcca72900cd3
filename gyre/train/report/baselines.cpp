#include "gyre/train/report/baselines.h"

#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace gyre {
namespace {

constexpr size_t kBytes = 256;

size_t byte(std::string_view text, size_t i) { return static_cast<unsigned char>(text[i]); }

std::array<double, kBytes> unigram(std::string_view text) {
  std::array<double, kBytes> p;
  p.fill(0.5);
  for (size_t i = 0; i < text.size(); ++i) p[byte(text, i)] += 1;
  for (double& v : p) v /= static_cast<double>(text.size()) + 0.5 * kBytes;
  return p;
}

}  // namespace

double unigram_bits_per_byte(std::string_view training, std::string_view validation) {
  std::array<double, kBytes> p = unigram(training);
  double bits = 0;
  for (size_t i = 0; i < validation.size(); ++i) bits -= std::log2(p[byte(validation, i)]);
  return bits / static_cast<double>(validation.size());
}

double bigram_bits_per_byte(std::string_view training, std::string_view validation) {
  if (validation.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::array<double, kBytes> p = unigram(training), followers{}, total{};
  std::vector<double> counts(kBytes * kBytes);
  for (size_t i = 1; i < training.size(); ++i) {
    size_t before = byte(training, i - 1);
    double& count = counts[before * kBytes + byte(training, i)];
    followers[before] += count == 0;
    total[before] += 1;
    count += 1;
  }
  double bits = -std::log2(p[byte(validation, 0)]);
  for (size_t i = 1; i < validation.size(); ++i) {
    size_t a = byte(validation, i - 1), b = byte(validation, i);
    double seen = total[a] + followers[a];
    double q = seen > 0 ? (counts[a * kBytes + b] + followers[a] * p[b]) / seen : p[b];
    bits -= std::log2(q);
  }
  return bits / static_cast<double>(validation.size());
}

}  // namespace gyre
