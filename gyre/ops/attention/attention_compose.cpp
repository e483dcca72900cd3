#include "gyre/ops/attention/attention_compose.h"

#include <cmath>
#include <limits>

#include "gyre/ops/attention/attention.h"
#include "gyre/ops/define_rowwise.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/norm/norm.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

// Positions of queries among the keys [queries, 1], and of keys [keys].
Tensor query_places(const AttentionAttrs& a, const Tensor& scores) {
  Tensor places = positions(scores.size(-2), scores.device());
  return reshape(places, {-1, 1}) + Tensor(static_cast<double>(a.position));
}

Tensor masked(Tensor scores, const AttentionAttrs& a, const Tensor& mask) {
  const Tensor hidden(-std::numeric_limits<double>::infinity());
  Tensor query = query_places(a, scores), key = positions(scores.size(-1), scores.device());
  if (mask.defined()) {
    scores = mask.dtype() == DType::boolean ? where(mask, scores, hidden) : scores + mask;
  }
  if (a.causal) scores = where(le(key, query), scores, hidden);
  if (a.window) {
    scores = where(lt(abs(key - query), Tensor(static_cast<double>(a.window))), scores, hidden);
  }
  return scores;
}

// softmax of rows, 0 if a row is fully masked
Tensor probabilities(const Tensor& scores) {
  if (scores.size(-1) == 0) return scores;
  Tensor top = max(scores.detach(), -1, true);
  Tensor seen = ne(top, Tensor(-std::numeric_limits<double>::infinity()));
  return where(seen, softmax(where(seen, scores, Tensor(0.0))), Tensor(0.0));
}

}  // namespace

Tensors attention_compose(const OpDef&, const void* attrs, Inputs in) {
  const auto& a = attrs_as<AttentionAttrs>(attrs);
  double width = static_cast<double>(in[0].size(-1));
  Tensor q = in[0], k = in[1], v = in[2];
  const Shape& shape = in[0].shape();
  bool grouped = shape.rank > 2 && shape.back(2) != k.size(-3);
  if (grouped) {
    const auto repeat = [&](const Tensor& t) {
      Tensor apart = unsqueeze(t, -3);
      Shape wide = apart.shape();
      wide[wide.rank - 3] = shape.back(2) / k.size(-3);
      Shape joined = t.shape();
      joined[joined.rank - 3] = shape.back(2);
      return reshape(expand(apart, wide), joined);
    };
    v = repeat(v);
    k = repeat(k);
  }
  Tensor scores =
      matmul(q, transpose(k, -1, -2)) * Tensor(a.scale != 0 ? a.scale : 1 / std::sqrt(width));
  Tensor weights = probabilities(masked(scores, a, in.size() > 3 ? in[3] : Tensor()));
  if (a.dropout > 0) weights = dropout(weights, {a.dropout, a.seed, a.offset});
  return {matmul(weights, v)};
}

}  // namespace gyre
