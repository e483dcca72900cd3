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
class AttentionMask {
 public:
  /// `q` and `k` are operands of the op, `mask` one too, or an empty view.
  AttentionMask(const View& q, const View& k, const View& mask, const AttentionAttrs& attrs);
  /// True if apply() is needed.
  bool any() const { return mask_.data || window_; }
  /// The first key that a query with that position may attend to.
  int64_t first_key(int64_t position) const {
    int64_t first = window_ ? position + 1 - window_ : 0;
    return first < 0 ? 0 : first < keys_ ? first : keys_;
  }
  /// Scores times `scale` plus the mask; -infinity where masked.
  template <class T>
  void apply(const ScorePlace<T>& block, T scale) const;

 private:
  template <class T>
  void apply_tensor(const ScorePlace<T>& block, T scale) const;
  View mask_;
  Shape batch_;  ///< leading axes of the scores
  int64_t keys_, window_;
};

/// The dropout mask: a function of seed, offset and position alone.
class AttentionDropout {
 public:
  AttentionDropout(const View& q, const View& k, const AttentionAttrs& attrs);
  bool any() const { return p_ > 0; }
  /// Multiplies the weights of a block by 0 or 1 / (1 - p).
  template <class T>
  void apply(const ScorePlace<T>& block) const;

 private:
  double p_;
  uint64_t seed_, offset_;
  int64_t queries_, keys_;
};

}  // namespace gyre
