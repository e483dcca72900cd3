#include "gyre/ops/attention/attention_mask.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "gyre/ops/random/random.h"
#include "gyre/ops/random/random_tiles.h"

namespace gyre {
namespace {

constexpr int64_t kMostCols = 128;

// Stride of the mask along axis i of the scores, counted from the end.
int64_t stride_of(const View& m, int i) {
  return i < m.shape.rank && m.shape.back(i) != 1 ? m.strides.back(i) : 0;
}

}  // namespace

AttentionMask::AttentionMask(const View& q, const View& k, const View& mask,
                             const AttentionAttrs& attrs)
    : mask(mask),
      batch(q.shape),
      keys(k.shape.back(1)),
      // a larger one has no effect
      window(std::min(attrs.window, q.shape.back(1) + keys + 1)) {
  batch.rank -= 2;
}

template <class T>
void AttentionMask::apply_tensor(const ScorePlace<T>& b, T scale) const {
  const auto size = static_cast<int64_t>(size_of(mask.dtype));
  const Convert load = convert_tiles().load[static_cast<int>(mask.dtype)][sizeof(T) == 4 ? 0 : 1];
  const int64_t place =
      broadcast_offset(mask.shape, mask.strides, mask.shape.rank - 2, batch, b.head);
  const int64_t row = stride_of(mask, 1), col = stride_of(mask, 0);
  T values[kMostCols];
  for (int64_t r = 0; r < b.rows; ++r) {
    const std::byte* from = mask.data + (place + (b.query + r) * row + b.key * col) * size;
    if (col == 1) {
      load(from, values, b.cols);
    } else {
      for (int64_t c = 0; c < b.cols; ++c) load(from + c * col * size, values + c, 1);
    }
    T* x = b.scores + r * b.stride;
    if (mask.dtype == DType::boolean) {
      constexpr T kHidden = -std::numeric_limits<T>::infinity();
      for (int64_t c = 0; c < b.cols; ++c) x[c] = values[c] != 0 ? x[c] * scale : kHidden;
    } else {
      for (int64_t c = 0; c < b.cols; ++c) x[c] = x[c] * scale + values[c];
    }
  }
}

template <class T>
void AttentionMask::apply(const ScorePlace<T>& b, T scale) const {
  if (mask.data) {
    apply_tensor(b, scale);
  } else {
    for (int64_t r = 0; r < b.rows; ++r) {
      for (int64_t c = 0; c < b.cols; ++c) b.scores[r * b.stride + c] *= scale;
    }
  }
  if (!window) return;
  for (int64_t r = 0; r < b.rows; ++r) {
    const int64_t own = b.position + b.query + r - b.key;
    int64_t first = std::clamp<int64_t>(own + 1 - window, 0, b.cols),
            past = std::clamp<int64_t>(own + window, 0, b.cols);
    T* x = b.scores + r * b.stride;
    std::fill(x, x + first, -std::numeric_limits<T>::infinity());
    std::fill(x + std::max(first, past), x + b.cols, -std::numeric_limits<T>::infinity());
  }
}

AttentionDropout::AttentionDropout(const View& q, const View& k, const AttentionAttrs& attrs)
    : p(attrs.dropout),
      seed(std::bit_cast<uint64_t>(attrs.seed)),
      offset(std::bit_cast<uint64_t>(attrs.offset)),
      queries(q.shape.back(1)),
      keys(k.shape.back(1)) {}

template <class T>
void AttentionDropout::apply(const ScorePlace<T>& b) const {
  const uint64_t threshold = threshold_of(p);
  const T scale = p < 1 ? static_cast<T>(1 / (1 - p)) : T(0);
  uint32_t words[kMostCols + 8 + 4 * kSpareBlocks];
  for (int64_t r = 0; r < b.rows; ++r) {
    auto first = static_cast<uint64_t>((b.head * queries + b.query + r) * keys + b.key);
    random_tiles().words(seed, offset + first / 4, words, (b.cols + 3) / 4 + 1);
    const uint32_t* w = words + first % 4;
    T* x = b.scores + r * b.stride;
    for (int64_t c = 0; c < b.cols; ++c) x[c] = w[c] < threshold ? T(0) : x[c] * scale;
  }
}

template void AttentionMask::apply(const ScorePlace<float>&, float) const;
template void AttentionMask::apply(const ScorePlace<double>&, double) const;
template void AttentionDropout::apply(const ScorePlace<float>&) const;
template void AttentionDropout::apply(const ScorePlace<double>&) const;

}  // namespace gyre
