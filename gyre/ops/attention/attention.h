#pragma once
#include "gyre/base/philox.h"
#include "gyre/base/record.h"
#include "gyre/tensor/tensor.h"

namespace gyre {

struct AttentionAttrs {
  bool causal = false;   ///< query i sees keys 0 .. i + position only
  int64_t position = 0;  ///< of the first query among the keys
  double scale = 0;      ///< of the scores, not negative; 0 means 1 / sqrt(width)
  int64_t window = 0;    ///< keys at a distance of this and more are not seen; 0: all are
  double dropout = 0;    ///< probability that a weight is dropped
  int64_t seed = 0, offset = 0;
};
GYRE_FIELDS(
    AttentionAttrs, GYRE_FIELD(causal, "causal mask: query i attends to keys 0 .. i + position"),
    GYRE_FIELD(position, "index of the first query among the keys, for causal and window"),
    GYRE_FIELD(scale, "scale of the scores; 0: 1 / sqrt(width)"),
    GYRE_FIELD(window, "sliding window: keys at this distance or more are masked; 0: off"),
    GYRE_FIELD(dropout,
               "dropout probability of attention weights; the rest is scaled by 1 / (1 - p)"),
    GYRE_FIELD(seed, "seed of the generator, for dropout"),
    GYRE_FIELD(offset, "offset of the generator, in blocks of four 32-bit words, for dropout"));

/// softmax(scale q k^T + mask) v for q [..., heads, queries, width], k [..., heads / n, keys,
/// width], v [..., heads / n, keys, out]: n heads of queries next to each other share one of keys
/// (Ainslie et al., "GQA", 2023; n = 1 is plain attention, and then all leading axes are free).
/// `mask`, which broadcasts to the scores [..., heads, queries, keys], is boolean (true: seen) or
/// floating and added. Scores are made and used block by block (Dao et al., "FlashAttention", 2022;
/// online softmax by Milakov and Gimelshein, 2018): memory is linear in the lengths, and backward
/// makes them again (but a gradient of the mask takes a whole matrix of scores). A query that sees
/// no key gives 0. Dropout draws from `generator` (nullptr: the thread's). Error{shape, dtype,
/// value}.
Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                    const Tensor& mask, AttentionAttrs attrs = {},
                                    Generator* generator = nullptr);
inline Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                           const AttentionAttrs& attrs = {}) {
  return scaled_dot_product_attention(q, k, v, Tensor(), attrs);
}

}  // namespace gyre
