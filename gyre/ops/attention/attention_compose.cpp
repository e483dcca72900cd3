#include <algorithm>
#include <cmath>
#include <limits>

#include "gyre/ops/attention/attention.h"
#include "gyre/ops/attention/attention_kernels.h"
#include "gyre/ops/define_rowwise.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/norm/norm.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

// Lengths with the axes of the scores behind those of the batch.
Tensor beside_scores(const Tensor& lengths, const Tensor& scores) {
  Shape shape = lengths.shape();
  for (int i = std::min(scores.rank(), 3); i > 0; --i) shape.push_back(1);
  return to(reshape(lengths, shape), DType::f64);
}

Tensor masked(Tensor scores, const AttentionAttrs& a, const Tensor& mask, const Tensor& lengths) {
  const Tensor hidden(-std::numeric_limits<double>::infinity());
  Tensor query = reshape(positions(scores.size(-2), scores.device()), {-1, 1}),
         key = positions(scores.size(-1), scores.device());
  if (mask.defined()) {
    scores = mask.dtype() == DType::boolean ? where(mask, scores, hidden) : scores + mask;
  }
  if (lengths.defined()) {
    const Tensor length = beside_scores(lengths, scores);
    query = query + (length - Tensor(static_cast<double>(scores.size(-2))));
    scores = where(lt(key, length), scores, hidden);
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
  if (a.softcap > 0) scores = tanh(scores * Tensor(1 / a.softcap)) * Tensor(a.softcap);
  const auto given = [&](size_t i) { return i < in.size() ? in[i] : Tensor(); };
  Tensor weights = probabilities(masked(scores, a, given(3), given(4)));
  if (a.dropout > 0) weights = dropout(weights, {a.dropout, a.seed, a.offset});
  return {matmul(weights, v)};
}

}  // namespace gyre
