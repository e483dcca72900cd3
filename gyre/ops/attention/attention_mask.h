#pragma once
#include "gyre/kernel/convert.h"
#include "gyre/op/op_def.h"
#include "gyre/ops/attention/attention.h"

namespace gyre {

/// A block of scores of one head: queries [query, query + rows), keys [key, key + cols), rows
/// `stride` apart; `head` counts heads of queries over all batch axes, and query 0 has `position`
/// among the keys.
template <class T>
struct ScorePlace {
  T* scores;
  int64_t head, query, rows, key, cols, stride, position;
};

/// Masking of scores beyond the causal mask: a mask tensor and a sliding window.
struct AttentionMask {
  /// `q` and `k` are operands of the op, `mask` one too, or an empty view.
  AttentionMask(const View& q, const View& k, const View& mask, const AttentionAttrs& attrs);
  /// True if apply() is needed.
  bool any() const { return mask.data || window; }
  /// The first key that a query with that position may attend to.
  int64_t first_key(int64_t position) const {
    int64_t first = window ? position + 1 - window : 0;
    return first < 0 ? 0 : first < keys ? first : keys;
  }
  /// Scores times `scale` plus the mask; -infinity where masked.
  template <class T>
  void apply(const ScorePlace<T>& block, T scale) const;

  View mask;             ///< broadcasts to the scores; without data: none
  Shape batch;           ///< leading axes of the scores
  int64_t keys, window;  ///< window 0: no window

 private:
  template <class T>
  void apply_tensor(const ScorePlace<T>& block, T scale) const;
};

/// The dropout mask, a function of seed, offset and position alone: the weight of a query and a key
/// has word (head * queries + query) * keys + key of Philox-4x32-10 from block `offset` on, and is
/// dropped if that is below threshold_of(p).
struct AttentionDropout {
  AttentionDropout(const View& q, const View& k, const AttentionAttrs& attrs);
  bool any() const { return p > 0; }
  /// Multiplies the weights of a block by 0 or 1 / (1 - p).
  template <class T>
  void apply(const ScorePlace<T>& block) const;

  double p;
  uint64_t seed, offset;
  int64_t queries, keys;
};

}  // namespace gyre
