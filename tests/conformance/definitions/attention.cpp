#include <algorithm>
#include <cmath>

#include "tests/conformance/definitions.h"

namespace gyre::conformance {
namespace {

// The value that the mask adds to the score of (batch b, query i, key j).
double mask_at(const std::vector<Dense>& in, const Shape& scores, int64_t b, int64_t i, int64_t j,
               bool boolean) {
  if (in.size() < 4 || in[3].v.empty()) return 0;
  int64_t at[kMaxRank] = {};
  at[scores.rank - 1] = j;
  at[scores.rank - 2] = i;
  for (int k = scores.rank - 2; k-- > 0; b /= scores[k]) at[k] = b % scores[k];
  double m = at_place(in[3], scores, at);
  return boolean ? (m != 0 ? 0 : -INFINITY) : m;
}

Values attention(const Call& call, const std::vector<Dense>& in) {
  const Dense &q = in[0], &k = in[1], &v = in[2];
  int64_t queries = q.shape.back(1), keys = k.shape.back(1), width = q.shape.back(),
          out = v.shape.back(), batch = 1, heads = 1;
  for (int i = 0; i + 2 < q.shape.rank; ++i) batch *= q.shape[i];
  for (int i = 0; i + 2 < k.shape.rank; ++i) heads *= k.shape[i];
  double scale = attribute(call, "scale", 0.0);
  if (scale == 0) scale = 1 / std::sqrt(static_cast<double>(width));
  bool causal = attribute(call, "causal", false);
  const auto window = attribute(call, "window", int64_t{0});
  const double cap = attribute(call, "softcap", 0.0);
  bool boolean = call.in.size() > 3 && call.in[3].defined() && call.in[3].dtype() == DType::boolean;
  Shape space = q.shape, sequences = q.shape;
  sequences.rank = std::max(q.shape.rank - 3, 0);
  const int64_t each = q.shape.rank > 2 ? q.shape.back(2) : 1;
  space[space.rank - 1] = keys;
  Values r;
  for (int64_t b = 0; b < batch; ++b) {
    int64_t head = b * heads / batch, length = keys, position = 0;
    if (in.size() > 4 && !in[4].v.empty()) {
      const Shape& own = in[4].shape;
      length = static_cast<int64_t>(in[4].v[static_cast<size_t>(
          broadcast_offset(own, contiguous_strides(own), own.rank, sequences, b / each))]);
      position = length - queries;
    }
    for (int64_t i = 0; i < queries; ++i) {
      Values scores;
      for (int64_t j = 0; j < keys; ++j) {
        double s = 0;
        for (int64_t w = 0; w < width; ++w) {
          s += q.v[static_cast<size_t>((b * queries + i) * width + w)] *
               k.v[static_cast<size_t>((head * keys + j) * width + w)];
        }
        s *= scale;
        if (cap > 0) s = cap * std::tanh(s / cap);
        s += mask_at(in, space, b, i, j, boolean);
        if (j >= length) s = -INFINITY;
        if (causal && j > i + position) s = -INFINITY;
        if (window && std::abs(j - i - position) >= window) s = -INFINITY;
        scores.push_back(s);
      }
      bool blind = scores.empty() || scores[best(scores, 1)] == -INFINITY;
      Values p = blind ? Values(scores.size(), 0.0) : softmax_of(scores);
      for (int64_t w = 0; w < out; ++w) {
        double s = 0;
        for (size_t j = 0; j < p.size(); ++j) {
          s += p[j] * v.v[static_cast<size_t>((head * keys + static_cast<int64_t>(j)) * out + w)];
        }
        r.push_back(s);
      }
    }
  }
  return r;
}

// Pairs of elements of a row rotated by position times frequency, base^(-2 i / width) by default.
Values rope(const Call& call, const std::vector<Dense>& in) {
  const Dense& x = in[0];
  int64_t width = x.shape.back(), steps = x.shape.back(1);
  auto turned = attribute(call, "width", int64_t{0});
  if (turned == 0) turned = width;
  bool interleaved = attribute(call, "interleaved", false);
  double sign = attribute(call, "inverse", false) ? -1 : 1, base = attribute(call, "base", 1e4);
  Shape rows = x.shape;
  --rows.rank;
  Values y = x.v;
  int64_t r = 0;
  each_place(rows, [&](const int64_t* at) {
    double position = static_cast<double>(attribute(call, "position", int64_t{0}) + r % steps);
    if (in.size() > 1 && !in[1].v.empty()) position = at_place(in[1], rows, at);
    for (int64_t i = 0; i < turned / 2; ++i) {
      double frequency =
          std::pow(base, -2.0 * static_cast<double>(i) / static_cast<double>(turned));
      if (in.size() > 2 && !in[2].v.empty()) frequency = in[2].v[static_cast<size_t>(i)];
      double angle = sign * position * frequency;
      auto first = static_cast<size_t>(r * width + (interleaved ? 2 * i : i)),
           second = static_cast<size_t>(r * width + (interleaved ? 2 * i + 1 : i + turned / 2));
      y[first] = x.v[first] * std::cos(angle) - x.v[second] * std::sin(angle);
      y[second] = x.v[first] * std::sin(angle) + x.v[second] * std::cos(angle);
    }
    ++r;
  });
  return y;
}

const Definitions kAttention({
    {"rope", [](const Call& call,
                const std::vector<Dense>& in) { return std::vector<Values>{rope(call, in)}; }},
    {"scaled_dot_product_attention",
     [](const Call& call, const std::vector<Dense>& in) {
       // dropout depends on the generator: covered by compose
       bool drops = attribute(call, "dropout", 0.0) > 0;
       return drops ? std::vector<Values>() : std::vector<Values>{attention(call, in)};
     }},
});

}  // namespace
}  // namespace gyre::conformance
