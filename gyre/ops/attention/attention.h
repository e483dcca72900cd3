#pragma once
#include "gyre/base/record.h"
#include "gyre/tensor/tensor.h"

namespace gyre {

struct AttentionAttrs {
  bool causal = false;  ///< query i sees keys 0 .. i + offset only
  int64_t offset = 0;
  double scale = 0;  ///< of the scores, not negative; 0 means 1 / sqrt(width)
};
GYRE_FIELDS(AttentionAttrs, GYRE_FIELD(causal, "query i sees keys up to i + offset only"),
            GYRE_FIELD(offset, "position of the first query among the keys, for causal"),
            GYRE_FIELD(scale, "of the scores; 0 means 1 / sqrt(width)"));

/// softmax(scale q k^T) v for q [..., queries, width], k [..., keys, width], v [..., keys, out],
/// equal batch axes. Scores are made and used block by block (Dao et al., "FlashAttention", 2022;
/// online softmax by Milakov and Gimelshein, 2018): memory is linear in the lengths, and backward
/// makes them again. A query that sees no key gives NaN. Error{shape, dtype}.
Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                    const AttentionAttrs& attrs = {});

}  // namespace gyre
