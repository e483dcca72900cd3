#pragma once
#include "gyre/ops/attention/cached_attention.h"

namespace gyre::nn {

/// Key-value cache of an attention layer: the keys and values of the tokens so far, [rows, heads,
/// capacity, width] each. The first `lengths[r]` tokens of row r, a sequence of its own, are set;
/// `lengths` [rows] is i64, and layers of a model may share it. Slices of all along the rows are a
/// cache of these rows.
struct KeyValueCache {
  CachedTokens keys, values;
  Tensor lengths;
  /// Largest capacity of a layer with a sliding window: then token t is in slot t % capacity, and
  /// overwrites one that no later token attends to. 0: all tokens are kept.
  int64_t ring = 0;

  [[nodiscard]] int64_t capacity() const { return keys.values.size(2); }
  /// Whether tokens overwrite others; before, there is a slot for each.
  [[nodiscard]] bool wraps() const { return ring > 0 && capacity() == ring; }
  /// Writes the last n tokens of each row, counted by `lengths` already: keys and values [rows,
  /// heads, n, width]. Errors: those of write_tokens().
  void write_last(const Tensor& k, const Tensor& v) const {
    write_tokens(keys, lengths, k, wraps());
    write_tokens(values, lengths, v, wraps());
  }
  /// Attention of these tokens' queries [rows, n heads, n, width]. Errors: those of
  /// cached_attention().
  [[nodiscard]] Tensor attend(const Tensor& q, CachedAttentionAttrs attrs) const {
    attrs.ring = wraps();
    return cached_attention(q, keys, values, lengths, attrs);
  }
  /// A cache of f(tensor) of each of its tensors, with these lengths.
  template <class F>
  [[nodiscard]] KeyValueCache with(const Tensor& new_lengths, F f) const {
    const auto each = [&](const CachedTokens& tokens) {
      return CachedTokens{f(tokens.values), tokens.scales.defined() ? f(tokens.scales) : Tensor()};
    };
    return {each(keys), each(values), new_lengths, ring};
  }
};

}  // namespace gyre::nn
