#include "gyre/packed/group_encoder.h"

#include <algorithm>
#include <cmath>

#include "gyre/base/error.h"

namespace gyre {
void encode_numbers(const RingFormat& format, std::span<const float> numbers, double size,
                    std::span<Packed128> words) {
  std::vector<float> wanted(numbers.size()), found(numbers.size());
  const double cos = std::cos(format.angle), sin = std::sin(format.angle);
  for (size_t i = 0; i < wanted.size(); ++i)
    wanted[i] = static_cast<float>(numbers[i] / (size * cos));
  encode_rings(format, 0, wanted, words);
  if (format.layers == 1) return;
  decode_rings(format, 0, words, found);
  for (size_t i = 0; i < wanted.size(); ++i)
    wanted[i] = static_cast<float>((numbers[i] / size - cos * found[i]) / sin);
  encode_rings(format, 1, wanted, words);
}

void GroupEncoder::scale_rows(int64_t row_tile, const double* more) {
  const PackedLayout::Group g = layout_.group(row_tile, 0);
  double sizes[kTileOutputs] = {};
  for (int o = 0; o < g.outputs; ++o) {
    for (int64_t i = 0; i < layout_.cols; ++i) {
      const double value = x_[(g.row + o) * layout_.cols + i];
      sizes[o] += value * value;
    }
    if (more && sizes[o] > 0) sizes[o] += more[o] * static_cast<double>(layout_.cols);
    sizes[o] = std::sqrt(sizes[o]);
    if (!std::isfinite(sizes[o])) {
      throw Error(Code::numeric, kPackedEncode, {"weights of row ", g.row + o, " are too large"});
    }
  }
  to_.headers()[static_cast<size_t>(g.row_header)] = row_header(sizes);
}

double GroupEncoder::size(const PackedLayout::Group& g) {
  gather(g);
  double squares = 0;
  int64_t counted = 0;
  for (float v : numbers_) {
    if (std::isnan(v)) continue;
    squares += static_cast<double>(v) * v;
    ++counted;
  }
  return counted > 0 ? std::sqrt(squares / static_cast<double>(counted)) : 0;
}

void GroupEncoder::encode(const PackedLayout::Group& g) {
  const auto count = static_cast<size_t>(g.tiles * layout_.ring().tile_words);
  const std::span words = to_.words().subspan(static_cast<size_t>(g.word), count);
  const double by = size(g);
  Fit fit;
  if (by == 0) {
    std::fill(words.begin(), words.end(), Packed128{});
  } else {
    encode_numbers(layout_.ring(), numbers_, by, words);
    fit = fitted(words);
  }
  to_.headers()[static_cast<size_t>(g.header)] =
      packed_header(layout_.ring(), seed_, fit.scale, fit.angle, kPackedEncode);
}

// Positions outside of the matrix and in rows of zeros are NaN: their numbers do not count.
void GroupEncoder::gather(const PackedLayout::Group& g) {
  float factors[kTileOutputs];
  for (int o = 0; o < kTileOutputs; ++o)
    factors[o] = row_factor(to_.headers()[static_cast<size_t>(g.row_header)], o);
  const auto tile_words = static_cast<size_t>(layout_.ring().tile_words);
  const size_t words = static_cast<size_t>(g.tiles) * tile_words;
  numbers_.assign(words * static_cast<size_t>(steps_), NAN);
  for (size_t w = 0; w < words; ++w) {
    const int64_t first = static_cast<int64_t>(w / tile_words) * layout_.ring().tile_inputs;
    for (int t = 0; t < steps_; ++t) {
      const auto [output, input] = layout_.place(static_cast<int>(w % tile_words), t);
      if (output >= g.outputs || first + input >= g.inputs) continue;
      const size_t at = w * static_cast<size_t>(steps_) + static_cast<size_t>(t);
      if (factors[output] == 0) continue;
      numbers_[at] = x_[(g.row + output) * layout_.cols + g.col + first + input] / factors[output];
    }
  }
}

// The factors of the layers that come nearest to the weights, by least squares.
GroupEncoder::Fit GroupEncoder::fitted(std::span<const Packed128> words) const {
  const RingFormat& format = layout_.ring();
  std::vector<float> a(numbers_.size()), b(numbers_.size());
  decode_rings(format, 0, words, a);
  if (format.layers == 2) decode_rings(format, 1, words, b);
  double xa = 0, xb = 0, aa = 0, ab = 0, bb = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(numbers_[i])) continue;
    const double x = numbers_[i], p = a[i], q = b[i];
    xa += x * p;
    xb += x * q;
    aa += p * p;
    ab += p * q;
    bb += q * q;
  }
  const double determinant = aa * bb - ab * ab;
  // layers of the same numbers, as of a single weight, have no factors of their own
  if (determinant <= 1e-6 * aa * bb) return {aa > 0 ? std::max(xa / aa, 0.0) : 0, 0};
  const double u = (xa * bb - xb * ab) / determinant, v = (xb * aa - xa * ab) / determinant;
  return {std::hypot(u, v), std::atan2(v, u)};
}

}  // namespace gyre
