#pragma once
#include "gyre/ops/attention/attention_kernels.h"
#include "gyre/ops/attention/attention_mask.h"
#include "gyre/ops/attention/cached_attention.h"
#include "gyre/ops/attention/rope.h"
#include "gyre/ops/linalg/product_operand.h"

// Plans (op/launch.h) of attention and rope.

namespace gyre {

/// rope: each row of x rotated by its angles, contiguous, as rope.h says.
struct RopePlan {
  const RopeAttrs* attrs;
  View x, positions, frequencies;  ///< without data: not given
  Shape places;                    ///< of the positions, one of each in the table
  int64_t rows, count, pairs;      ///< of x; of the table; rotated in a row
  double* pace;                    ///< [pairs] scratch for the frequencies
  std::byte *table, *out;          ///< scratch [count, 2, pairs] for cosines and sines; the result
};

/// Sizes of one head of queries and its keys.
struct AttentionSizes {
  int64_t queries, keys, width, out;
  double scale;
  bool causal;
  int64_t length, position = 0;  ///< keys that are set; position of query 0 among them
  int64_t group;                 ///< heads of queries that share one of keys

  AttentionSizes(const View& q, const View& k, const View& v, const AttentionAttrs& a);
  /// Keys that some query of [first, first + n) sees.
  int64_t keys_seen(int64_t first, int64_t n) const {
    if (!causal) return length;
    int64_t last = first + n + position;
    return last < 0 ? 0 : last < length ? last : length;
  }
  /// Columns of a block of keys from `key` on that query `first` sees.
  int64_t visible(int64_t first, int64_t key) const {
    return causal ? first + position + 1 - key : keys;
  }
};

/// What both passes need of a call.
struct AttentionCall {
  AttentionSizes sizes;  ///< with lengths, `length` and `position` differ by sequence
  double softcap;        ///< 0: none
  AttentionMask mask;
  AttentionDropout dropout;
  DType dtype;  ///< of the computation
  ProductOperand q, k, v;
  View lengths;          ///< by sequence (sequences_of); without data: all keys are valid
  std::byte *top, *sum;  ///< the hidden results, contiguous; null if not wanted
  AttentionCall(std::span<const View> in, std::span<const View> out, const AttentionAttrs& a);
};

/// scaled_dot_product_attention as attention.h says. Fails with the first length that is not in
/// [0, keys] before it writes anything. `top` is the largest score of a query and `sum` the sum of
/// e^(score - top) over its keys, before dropout.
struct AttentionPlan {
  AttentionCall call;
  DType dtype;     ///< of the result
  std::byte* out;  ///< contiguous
};

/// Its first-order gradient: those of q, k and v and, if wanted, of the mask at each score, all in
/// call.dtype. Query heads that share keys add to one gradient, in their order.
struct AttentionGradientPlan {
  AttentionCall call;
  ProductOperand out, g;            ///< the result and its cotangent
  std::byte *dq, *dk, *dv, *dmask;  ///< contiguous; dmask may be null, else it is zero
};

/// cached_attention as cached_attention.h says. Fails with the first length that is below the
/// number of queries or, unless the cache is a ring, above the capacity, before it writes anything.
/// Keys of few queries are split into parts, whose number depends on sizes and lengths alone.
struct CachedAttentionPlan {
  View q, keys, values, lengths, key_scales, value_scales;  ///< q is contiguous
  double scale, softcap;
  int64_t window;              ///< 0: none
  bool ring;                   ///< lengths may exceed the capacity
  int64_t rows, heads, group;  ///< heads of keys; heads of queries that share one
  int64_t queries, width, values_width, capacity;
  int64_t most_parts;
  std::byte *parts, *out;  ///< scratch for their results; contiguous result, of the dtype of q
  CachedAttentionPlan(const KernelArgs& args);
};

}  // namespace gyre
