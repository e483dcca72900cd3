#pragma once
#include "gyre/base/record.h"
#include "gyre/tensor/tensor.h"

namespace gyre {

struct CachedAttentionAttrs {
  double scale = 0, softcap = 0;
  int64_t window = 0;
  bool ring = false;
};
GYRE_FIELDS(CachedAttentionAttrs,
            GYRE_FIELD(scale, "scale of the scores; 0: 1 / sqrt(width)", .least = 0),
            GYRE_FIELD(softcap, "soft cap of the scores: softcap * tanh(score / softcap); 0: off",
                       .least = 0),
            GYRE_FIELD(window, "sliding window: keys at this distance or more are masked; 0: off",
                       .least = 0),
            GYRE_FIELD(ring,
                       "the cache holds the last tokens of a row: token t is in slot t % "
                       "capacity"));

/// Tokens of key-value caches, [rows, heads, capacity, width] with adjacent elements: f32, f64,
/// f16, bf16, or i8 times `scales` [rows, heads, capacity] (f32), which others do not have.
struct CachedTokens {
  Tensor values, scales{};
};

/// Causal attention of the last `queries` tokens of each row to the row, of which the cache holds
/// `lengths[r]` tokens (i32 or i64 [rows]): scaled_dot_product_attention(q, keys, values, {},
/// lengths, {.causal = true, ...}) for q [rows, n heads, queries, width]. Elements are read as they
/// are, and computed in f32 (f64 for caches of f64). The keys of few queries are split over
/// threads. Has no gradient. Error{shape, dtype}; Error{index} for a length below `queries` or,
/// without `ring`, above the capacity; Error{value} for a ring without a window, or that does not
/// hold the window of each query; Error{unsupported} for heads wider than 16384.
Tensor cached_attention(const Tensor& q, const CachedTokens& keys, const CachedTokens& values,
                        const Tensor& lengths, const CachedAttentionAttrs& attrs = {});

/// Overwrites the last n tokens of each row of a cache: token lengths[r] - n + t, which is in slot
/// (lengths[r] - n + t) % capacity, becomes x[r, h, t] for x [rows, heads, n, width] and `lengths`
/// [rows], i32 or i64, rounded to the dtype of the cache; i8 to nearest, symmetric, with the scale
/// that its largest element needs (NaN if it has one that is not finite). Not recorded for
/// gradients. Error{shape, dtype}; Error{index} for a length below n or, without `ring`, above the
/// capacity. On error nothing is written.
void write_tokens(const CachedTokens& cache, const Tensor& lengths, const Tensor& x,
                  bool ring = false);

}  // namespace gyre
