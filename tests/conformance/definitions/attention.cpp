#include <cmath>

#include "tests/conformance/definitions.h"

namespace gyre::conformance {
namespace {

Values attention(const Dense& q, const Dense& k, const Dense& v, const Call& call) {
  int64_t queries = q.shape.back(1), keys = k.shape.back(1), width = q.shape.back(),
          out = v.shape.back(), batch = 1;
  for (int i = 0; i + 2 < q.shape.rank; ++i) batch *= q.shape[i];
  double scale = attribute(call, "scale", 0.0);
  if (scale == 0) scale = 1 / std::sqrt(static_cast<double>(width));
  bool causal = attribute(call, "causal", false);
  auto offset = attribute(call, "offset", int64_t{0});
  Values r;
  for (int64_t b = 0; b < batch; ++b) {
    for (int64_t i = 0; i < queries; ++i) {
      Values scores;
      for (int64_t j = 0; j < keys && (!causal || j <= i + offset); ++j) {
        double s = 0;
        for (int64_t w = 0; w < width; ++w) {
          s += q.v[static_cast<size_t>((b * queries + i) * width + w)] *
               k.v[static_cast<size_t>((b * keys + j) * width + w)];
        }
        scores.push_back(s * scale);
      }
      Values p = scores.empty() ? scores : softmax_of(scores);
      for (int64_t w = 0; w < out; ++w) {
        double s = 0;
        for (size_t j = 0; j < p.size(); ++j) {
          s += p[j] * v.v[static_cast<size_t>((b * keys + static_cast<int64_t>(j)) * out + w)];
        }
        r.push_back(s);
      }
    }
  }
  return r;
}

const Definitions kAttention({
    {"scaled_dot_product_attention",
     [](const Call& call, const std::vector<Dense>& in) {
       return std::vector<Values>{attention(in[0], in[1], in[2], call)};
     }},
});

}  // namespace
}  // namespace gyre::conformance
