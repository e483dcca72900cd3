#pragma once
#include "gyre/ops/attention/attention.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::nn {

/// Key-value cache of an attention layer: the keys and values of the tokens so far, [rows, heads,
/// capacity, width] each. The first `lengths[r]` tokens of row r, a sequence of its own, are set;
/// `lengths` [rows] is i64, and layers of a model may share it. Slices of all three along the rows
/// are a cache of these rows.
struct KeyValueCache {
  Tensor keys, values, lengths;

  /// Writes the last n tokens of each row, counted by `lengths` already: keys and values [rows,
  /// heads, n, width]. Errors: those of write_tokens().
  void write_last(const Tensor& k, const Tensor& v) const {
    write_tokens(keys, lengths, k);
    write_tokens(values, lengths, v);
  }
  /// The cache with a capacity of its first `capacity` tokens; shares memory.
  [[nodiscard]] KeyValueCache first(int64_t capacity) const {
    const SliceAttrs part{2, 0, capacity, 1};
    return {slice(keys, part), slice(values, part), lengths};
  }
};

}  // namespace gyre::nn
