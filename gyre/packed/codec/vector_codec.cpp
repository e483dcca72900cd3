#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "gyre/base/philox.h"
#include "gyre/base/thread_pool.h"
#include "gyre/packed/codec/matrix_codec.h"
#include "gyre/packed/codec/stored.h"

// Vector quantisation (vq): every four neighbours of a row are one of 256 vectors times the scale
// of the row. The vectors, f32, come first; then come the scales, f32; then a byte for each four.

namespace gyre {
namespace {

constexpr int kWide = 4, kVectors = 256, kLloydRounds = 16;
constexpr int64_t kMostSamples = 16384;

using Vector = std::array<float, kWide>;

// The vectors, by place so that all are compared at once.
struct Book {
  float of[kWide][kVectors];
  float half_squares[kVectors];

  void measure() {
    for (int k = 0; k < kVectors; ++k) {
      half_squares[k] = 0;
      for (int i = 0; i < kWide; ++i) half_squares[k] += of[i][k] * of[i][k] / 2;
    }
  }
  // The nearest vector, the first of several.
  [[nodiscard]] int nearest(const Vector& x) const {
    float off[kVectors];
    for (int k = 0; k < kVectors; ++k)
      off[k] =
          half_squares[k] - x[0] * of[0][k] - x[1] * of[1][k] - x[2] * of[2][k] - x[3] * of[3][k];
    return static_cast<int>(std::min_element(off, off + kVectors) - off);
  }
};

struct VqLayout {
  explicit VqLayout(const MatrixSize& size)
      : codes((size.cols + kWide - 1) / kWide),
        scales_at(sizeof(float) * kWide * kVectors),
        codes_at(scales_at + size.rows * static_cast<int64_t>(sizeof(float))),
        bytes(codes_at + size.rows * codes) {}
  int64_t codes, scales_at, codes_at, bytes;
};

float float_at(const std::byte* from, int64_t i) {
  return stored<float>(from + i * static_cast<int64_t>(sizeof(float)));
}

float row_scale(const float* row, int64_t cols) {
  double squares = 0;
  for (int64_t i = 0; i < cols; ++i) squares += static_cast<double>(row[i]) * row[i];
  return static_cast<float>(std::sqrt(squares / static_cast<double>(cols)));
}

// Four numbers of a row over its scale, 0 beyond the matrix.
Vector vector_at(const MatrixSize& size, const float* row, float scale, int64_t code) {
  Vector x{};
  const int64_t first = code * kWide, n = std::min<int64_t>(kWide, size.cols - first);
  for (int64_t i = 0; i < n; ++i) x[static_cast<size_t>(i)] = row[first + i] / scale;
  return x;
}

// Vectors evenly spread over the matrix.
std::vector<Vector> sampled(const MatrixSize& size, const float* x,
                            const std::vector<float>& scales) {
  const int64_t codes = VqLayout(size).codes, all = size.rows * codes,
                count = std::min(all, kMostSamples);
  std::vector<Vector> samples;
  samples.reserve(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    const int64_t at = static_cast<int64_t>(static_cast<__int128>(i) * all / count),
                  row = at / codes;
    if (const float scale = scales[static_cast<size_t>(row)]; scale > 0)
      samples.push_back(vector_at(size, x + row * size.cols, scale, at % codes));
  }
  return samples;
}

// Lloyd's algorithm from samples drawn at random. A vector that no sample is nearest to is drawn
// anew.
Book trained(const std::vector<Vector>& samples) {
  Book book{};
  if (samples.empty()) return book;
  uint64_t draws = 0;
  const auto draw = [&](int k) {
    const uint32_t bits = philox(1, draws++)[0];
    const Vector& x = samples[bits % samples.size()];
    for (int i = 0; i < kWide; ++i) book.of[i][k] = x[static_cast<size_t>(i)];
  };
  for (int k = 0; k < kVectors; ++k) draw(k);
  std::vector<int> chosen(samples.size());
  for (int round = 0; round < kLloydRounds; ++round) {
    book.measure();
    parallel_for(std::ssize(samples), 256, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        chosen[static_cast<size_t>(i)] = book.nearest(samples[static_cast<size_t>(i)]);
    });
    double sums[kVectors][kWide] = {};
    int64_t counts[kVectors] = {};
    for (size_t s = 0; s < samples.size(); ++s) {
      ++counts[chosen[s]];
      for (size_t i = 0; i < kWide; ++i) sums[chosen[s]][i] += samples[s][i];
    }
    for (int k = 0; k < kVectors; ++k) {
      if (counts[k] == 0) {
        draw(k);
        continue;
      }
      for (int i = 0; i < kWide; ++i)
        book.of[i][k] = static_cast<float>(sums[k][i] / static_cast<double>(counts[k]));
    }
  }
  book.measure();
  return book;
}

int64_t vq_bytes(const MatrixSize& size) { return VqLayout(size).bytes; }

void vq_encode(const MatrixSize& size, const float* x, std::byte* to, WeightsDone& done) {
  const VqLayout layout(size);
  std::vector<float> scales(static_cast<size_t>(size.rows));
  for (int64_t row = 0; row < size.rows; ++row) {
    float& scale = scales[static_cast<size_t>(row)];
    scale = row_scale(x + row * size.cols, size.cols);
    if (scale < 1e-30F) scale = 0;
  }
  const Book book = trained(sampled(size, x, scales));
  float vectors[kVectors][kWide];
  for (int k = 0; k < kVectors; ++k) {
    for (int i = 0; i < kWide; ++i) vectors[k][i] = book.of[i][k];
  }
  std::memcpy(to, vectors, sizeof vectors);
  std::memcpy(to + layout.scales_at, scales.data(), scales.size() * sizeof(float));
  parallel_for(size.rows, 16, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      std::byte* codes = to + layout.codes_at + row * layout.codes;
      const float scale = scales[static_cast<size_t>(row)];
      for (int64_t k = 0; k < layout.codes; ++k) {
        codes[k] = scale == 0 ? std::byte{0}
                              : static_cast<std::byte>(
                                    book.nearest(vector_at(size, x + row * size.cols, scale, k)));
      }
    }
    done.add((end - begin) * size.cols);
  });
}

void vq_decode(const MatrixSize& size, const std::byte* from, int64_t first, int64_t count,
               float* to) {
  const VqLayout layout(size);
  for (int64_t row = first; row < first + count; ++row, to += size.cols) {
    const float scale = float_at(from + layout.scales_at, row);
    const std::byte* codes = from + layout.codes_at + row * layout.codes;
    for (int64_t i = 0; i < size.cols; ++i)
      to[i] = scale * float_at(from, static_cast<int64_t>(codes[i / kWide]) * kWide + i % kWide);
  }
}

const char* vq_fault(const MatrixSize& size, const std::byte* from) {
  float most = 0;
  for (int64_t i = 0; i < kVectors * kWide; ++i) {
    const float x = std::fabs(float_at(from, i));
    if (!std::isfinite(x)) return "a vector is not finite";
    most = std::max(most, x);
  }
  for (int64_t row = 0; row < size.rows; ++row) {
    if (!std::isfinite(float_at(from + VqLayout(size).scales_at, row) * most))
      return "a row has a scale that is not finite";
  }
  return nullptr;
}

}  // namespace

constinit const MatrixFunctions vq_functions{vq_bytes, vq_encode, vq_decode, vq_fault};

}  // namespace gyre
