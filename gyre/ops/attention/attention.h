#pragma once
#include "gyre/base/philox.h"
#include "gyre/base/record.h"
#include "gyre/tensor/tensor.h"

namespace gyre {

struct AttentionAttrs {
  bool causal = false;  ///< a query attends to keys up to its own position only
  double scale = 0;     ///< scale of the scores, not negative; 0: 1 / sqrt(width)
  double softcap = 0;   ///< soft cap of the scores: softcap * tanh(score / softcap); 0: off
  int64_t window = 0;   ///< sliding window: keys at this distance or more are masked; 0: off
  double dropout = 0;   ///< dropout probability of attention weights
  int64_t seed = 0, offset = 0;
};
GYRE_FIELDS(
    AttentionAttrs,
    GYRE_FIELD(causal, "causal mask: a query attends to keys up to its own position only"),
    GYRE_FIELD(scale, "scale of the scores; 0: 1 / sqrt(width)", .least = 0),
    GYRE_FIELD(softcap,
               "soft cap of the scores: softcap * tanh(score / softcap), before masks; 0: off",
               .least = 0),
    GYRE_FIELD(window, "sliding window: keys at this distance or more are masked; 0: off",
               .least = 0),
    GYRE_FIELD(dropout,
               "dropout probability of attention weights; the rest is scaled by 1 / (1 - p)",
               .least = 0, .most = 1),
    GYRE_FIELD(seed, "seed of the generator, for dropout"),
    GYRE_FIELD(offset, "offset of the generator, in blocks of four 32-bit words, for dropout"));

/// Scaled dot-product attention softmax(scale q k^T + mask) v for q [..., heads, queries, width], k
/// [..., heads / n, keys, width], v [..., heads / n, keys, out]. n consecutive query heads share
/// one key/value head: grouped-query attention (Ainslie et al., "GQA", 2023); n = 1 is multi-head
/// attention with arbitrary leading axes. `mask` broadcasts to the scores [..., heads, queries,
/// keys] and is boolean (true: attend) or floating (added to the scores). `lengths` (i32 or i64),
/// which broadcasts to the axes before the heads, is the number n of valid keys of each sequence,
/// as in a key-value cache: later keys are masked, and the queries are the last of the n tokens:
/// query t has position n - queries + t. Without it all keys are valid, and query t has position t.
/// Causal masks and windows compare positions of queries and keys. Scores are computed block by
/// block (Dao et al., "FlashAttention", 2022; online softmax by Milakov and Gimelshein, 2018):
/// memory is linear in the sequence lengths, and backward recomputes them (a gradient of the mask
/// needs the full score matrix). A query with all keys masked gives 0. Dropout draws from
/// `generator` (nullptr: the thread's). Error{shape, dtype, value}; Error{index} for a length
/// outside 0 .. keys.
Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                    const Tensor& mask, const Tensor& lengths,
                                    AttentionAttrs attrs = {}, Generator* generator = nullptr);
inline Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                           const AttentionAttrs& attrs = {}) {
  return scaled_dot_product_attention(q, k, v, Tensor(), Tensor(), attrs);
}

}  // namespace gyre
