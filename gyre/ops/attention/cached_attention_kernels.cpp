#include "gyre/ops/attention/cached_attention_kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gyre/base/thread_pool.h"
#include "gyre/kernel/per_isa.h"
#include "gyre/op/launch.h"
#include "gyre/ops/attention/attention_tile.h"
#include "gyre/ops/attention/key_value_tile.h"
#include "gyre/ops/attention/plans.h"
#include "gyre/ops/attention/strided_product.h"
#include "gyre/ops/index/indices.h"

namespace gyre {

GYRE_DECLARE_TILES(AttentionTiles, attention)
GYRE_DECLARE_TILES(KeyValueTiles, key_value)

namespace {

// A tile has lines (queries of heads that share keys) and blocks of keys; few lines are multiplied
// as keys are read, more by matrix products.
constexpr int64_t kLines = 64, kBlockKeys = 128, kFewLines = 8;
// Keys are split if there are too few tiles for many threads: a part is long enough to pay for
// merging it.
constexpr int64_t kFewTiles = 32, kMostParts = 16, kShortestPart = 256;

GYRE_TILES_FUNCTION_OF_T(const AttentionTile<T>&, softmax_tile, AttentionTiles, attention)
GYRE_TILES_FUNCTION(const KeyValueTiles&, key_value_tiles, KeyValueTiles, key_value)

const KeyValueTile& tile_of(DType stored) {
  const KeyValueTiles& all = key_value_tiles();
  if (stored == DType::f16) return all.f16;
  if (stored == DType::bf16) return all.bf16;
  return stored == DType::i8 ? all.i8 : all.f32;
}

int64_t divide_up(int64_t n, int64_t by) { return (n + by - 1) / by; }

// Results over parts of the keys, [parts, lines of all heads]: tops, sums, and outs of a width.
template <class T>
struct Parts {
  T *tops, *sums, *outs;
  int64_t lines;
  Parts(const CachedAttentionPlan& p)
      : tops(reinterpret_cast<T*>(p.parts)), lines(p.rows * p.heads * p.group * p.queries) {
    sums = tops + p.most_parts * lines;
    outs = sums + p.most_parts * lines;
  }
};

// The tokens that queries of a row attend to, and how they are split.
struct Split {
  const CachedAttentionPlan& plan;
  int64_t size = INT64_MAX, parts = 1;  // tokens in a part

  explicit Split(const CachedAttentionPlan& p) : plan(p) {
    if (p.most_parts == 1) return;
    int64_t longest = 0;
    for (int64_t r = 0; r < p.rows; ++r) longest = std::max(longest, length(r) - begin(r));
    size = kShortestPart * divide_up(longest, kShortestPart * kMostParts);
    parts = std::max<int64_t>(1, divide_up(longest, size));
  }
  int64_t length(int64_t row) const {
    return index_at(plan.lengths, row * plan.lengths.strides[0]);
  }
  // position of the first query
  int64_t position(int64_t row) const { return length(row) - plan.queries; }
  int64_t first_seen(int64_t position) const {
    return plan.window ? std::max<int64_t>(0, position + 1 - plan.window) : 0;
  }
  int64_t begin(int64_t row) const { return first_seen(position(row)); }
};

// Lines of one shared head: line i is query i % queries of head i / queries.
template <class T>
struct TileOfLines {
  const CachedAttentionPlan& plan;
  int64_t row, head, first, count, position;  // of the cache; lines; position of query 0
  const T* q;
  T *top, *sum, *out;

  int64_t position_of(int64_t line) const { return position + (first + line) % plan.queries; }
  // Then each line is at the position after that of the line before.
  bool one_head() const { return first / plan.queries == (first + count - 1) / plan.queries; }
  // The smallest and largest position of a query.
  std::pair<int64_t, int64_t> positions() const {
    if (one_head()) return {position_of(0), position_of(count - 1)};
    return {position, position + plan.queries - 1};
  }
};

CachedRun run_of(const View& v, const View& scales, int64_t row, int64_t head, int64_t slot,
                 int64_t n) {
  const auto at = [&](const View& of) {
    return (row * of.strides[0] + head * of.strides[1] + slot * of.strides[2]) *
           static_cast<int64_t>(size_of(of.dtype));
  };
  return {v.data + at(v), v.strides[2], n, v.shape[3],
          scales.data ? reinterpret_cast<const float*>(scales.data + at(scales)) : nullptr};
}

// Caps the scores of keys [key, key + n) and hides those that a line does not see, unless that is
// left to do, as the scale may be.
template <class T>
ScoreBlock<T> hide_unseen(const TileOfLines<T>& tile, T* scores, int64_t key, int64_t n) {
  const CachedAttentionPlan& p = tile.plan;
  T scale = static_cast<T>(p.scale);
  if (p.softcap > 0) {
    softmax_tile<T>().cap({scores, tile.count, n, kBlockKeys, 0, scale}, static_cast<T>(p.softcap),
                          nullptr);
    scale = 1;
  }
  const bool in_order = tile.one_head();
  const int64_t visible = in_order ? tile.position_of(0) + 1 - key : n;
  constexpr T kHidden = -std::numeric_limits<T>::infinity();
  for (int64_t r = 0; r < tile.count && (p.window || !in_order); ++r) {
    const int64_t own = tile.position_of(r) - key;
    const int64_t past = std::clamp<int64_t>(own + 1, 0, n);
    const int64_t first = p.window ? std::clamp<int64_t>(own + 1 - p.window, 0, past) : 0;
    T* x = scores + r * kBlockKeys;
    std::fill(x, x + first, kHidden);
    std::fill(x + past, x + n, kHidden);
  }
  return {scores, tile.count, n, kBlockKeys, visible, scale};
}

// Scores of a block of keys, then their weights, then the sum of the values, added to those of
// earlier blocks. score(keys) and add(values) compute on the rows of the cache.
template <class T, class Score, class Add>
void attend(const TileOfLines<T>& tile, int64_t begin, int64_t end, int64_t block, T* scores,
            Score score, Add add) {
  const CachedAttentionPlan& p = tile.plan;
  for (int64_t j = begin, n = 0; j < end; j += n) {
    const int64_t slot = j % p.capacity;
    n = std::min({block, end - j, p.capacity - slot});
    score(run_of(p.keys, p.key_scales, tile.row, tile.head, slot, n));
    const ScoreBlock<T> hidden = hide_unseen(tile, scores, j, n);
    softmax_tile<T>().forward(hidden, tile.top, tile.sum, tile.out, p.values_width, p.values_width);
    add(run_of(p.values, p.value_scales, tile.row, tile.head, slot, n));
  }
}

void attend_few(const TileOfLines<float>& tile, int64_t begin, int64_t end) {
  alignas(64) float scores[kFewLines * kBlockKeys];
  const KeyValueTile& t = tile_of(tile.plan.keys.dtype);
  attend(
      tile, begin, end, kBlockKeys, scores,
      [&](const CachedRun& keys) { t.scores(tile.q, tile.count, keys, scores, kBlockKeys); },
      [&](const CachedRun& values) { t.mix(scores, kBlockKeys, tile.count, values, tile.out); });
}

// Elements of another dtype are converted block by block, for all lines.
void attend_converted(const TileOfLines<float>& tile, int64_t begin, int64_t end) {
  alignas(64) float scores[kLines * kBlockKeys], wide[kMostCachedWidth];
  const CachedAttentionPlan& p = tile.plan;
  const KeyValueTile& t = tile_of(p.keys.dtype);
  const int64_t block =
      std::min(kBlockKeys, kMostCachedWidth / std::max({p.width, p.values_width, int64_t{1}}));
  attend(
      tile, begin, end, block, scores,
      [&](const CachedRun& keys) {
        t.widen(keys, wide);
        multiply_strided<float>(tile.count, keys.n, p.width, {tile.q, p.width}, {wide, 1, p.width},
                                scores, kBlockKeys, false);
      },
      [&](const CachedRun& values) {
        t.widen(values, wide);
        multiply_strided<float>(tile.count, p.values_width, values.n, {scores, kBlockKeys},
                                {wide, p.values_width}, tile.out, p.values_width, true);
      });
}

template <class T>
void attend_many(const TileOfLines<T>& tile, int64_t begin, int64_t end) {
  alignas(64) T scores[kLines * kBlockKeys];
  const CachedAttentionPlan& p = tile.plan;
  attend(
      tile, begin, end, kBlockKeys, scores,
      [&](const CachedRun& keys) {
        multiply_strided<T>(tile.count, keys.n, p.width, {tile.q, p.width},
                            {static_cast<const T*>(keys.data), 1, keys.row}, scores, kBlockKeys,
                            false);
      },
      [&](const CachedRun& values) {
        multiply_strided<T>(tile.count, p.values_width, values.n, {scores, kBlockKeys},
                            {static_cast<const T*>(values.data), values.row}, tile.out,
                            p.values_width, true);
      });
}

template <class T>
void attend_to(const TileOfLines<T>& tile, int64_t begin, int64_t end) {
  if constexpr (sizeof(T) == 4) {
    if (tile.count <= kFewLines) return attend_few(tile, begin, end);
    if (tile.plan.keys.dtype != DType::f32) return attend_converted(tile, begin, end);
  }
  attend_many(tile, begin, end);
}

template <class T>
void attend_part(const CachedAttentionPlan& p, const Split& split, const Parts<T>& parts,
                 int64_t item) {
  const int64_t lines = p.group * p.queries, tiles = divide_up(lines, kLines);
  const int64_t part = item % split.parts, first = item / split.parts % tiles * kLines;
  const int64_t shared = item / split.parts / tiles, row = shared / p.heads;
  const int64_t at = shared * lines + first, place = part * parts.lines + at;
  TileOfLines<T> tile{p,
                      row,
                      shared % p.heads,
                      first,
                      std::min(kLines, lines - first),
                      split.position(row),
                      reinterpret_cast<const T*>(p.q.data) + at * p.width,
                      parts.tops + place,
                      parts.sums + place,
                      parts.outs + place * p.values_width};
  std::fill_n(tile.top, tile.count, -std::numeric_limits<T>::infinity());
  std::fill_n(tile.sum, tile.count, T(0));
  std::fill_n(tile.out, tile.count * p.values_width, T(0));
  const auto [least, most] = tile.positions();
  const int64_t begin = split.begin(row) + (split.parts > 1 ? part * split.size : 0);
  const int64_t end = split.parts > 1 ? std::min(most + 1, begin + split.size) : most + 1;
  attend_to(tile, std::max(begin, split.first_seen(least)), end);
}

template <class T>
void attend_all(const CachedAttentionPlan& p) {
  const Parts<T> parts(p);
  const Split split(p);
  const int64_t tiles = divide_up(p.group * p.queries, kLines);
  parallel_for(p.rows * p.heads * tiles * split.parts, 1,
               [&](int64_t item, int64_t) { attend_part(p, split, parts, item); });
  const int64_t width = p.values_width;
  const int64_t grain = kGrain / (split.parts * (width + 1)) + 1;
  parallel_for(parts.lines, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      softmax_tile<T>().merge(parts.tops + i, parts.sums + i, parts.lines, parts.outs + i * width,
                              parts.lines * width, split.parts,
                              reinterpret_cast<T*>(p.out) + i * width, width);
    }
  });
}

Status run_cached_attention(const CachedAttentionPlan& p) noexcept {
  const Status s = check_indices(p.lengths, p.ring ? INT64_MAX : p.capacity + 1, p.queries);
  if (s.failed) return s;
  p.q.dtype == DType::f64 ? attend_all<double>(p) : attend_all<float>(p);
  return {};
}

// Parts of keys of queries [rows, n heads, queries, ...], which share `heads` heads of keys.
int64_t most_parts(const Shape& q, int64_t heads) {
  const int64_t tiles = q[0] * heads * divide_up(q[1] / heads * q[2], kLines);
  return tiles < kFewTiles ? kMostParts : 1;
}

}  // namespace

CachedAttentionPlan::CachedAttentionPlan(const KernelArgs& args)
    : q(args.in[0]),
      keys(args.in[1]),
      values(args.in[2]),
      lengths(args.in[3]),
      key_scales(args.in.size() > 4 ? args.in[4] : View()),
      value_scales(args.in.size() > 5 ? args.in[5] : View()),
      rows(q.shape[0]),
      heads(keys.shape[1]),
      group(q.shape[1] / heads),
      queries(q.shape[2]),
      width(q.shape[3]),
      values_width(values.shape[3]),
      capacity(keys.shape[2]),
      most_parts(gyre::most_parts(q.shape, heads)),
      parts(args.scratch),
      out(args.out[0].data) {
  const auto& a = attrs_as<CachedAttentionAttrs>(args.attrs);
  scale = a.scale != 0 ? a.scale : 1 / std::sqrt(static_cast<double>(width));
  softcap = a.softcap;
  // a larger one has no effect on a cache that is no ring
  window = a.ring ? a.window : std::min(a.window, capacity + queries);
  ring = a.ring;
}

size_t cached_attention_scratch(const void*, Inputs in) {
  const Shape& q = in[0].shape();
  const int64_t numbers = q[0] * q[1] * q[2] * (in[2].size(3) + 2);
  return static_cast<size_t>(numbers * most_parts(q, in[1].size(1))) * size_of(in[0].dtype());
}

Status cached_attention_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  if (args.out[0].shape[0] == 0 || args.out[0].shape[1] == 0 || args.out[0].shape[2] == 0)
    return {};
  return launch<run_cached_attention>(op, args, CachedAttentionPlan(args));
}

}  // namespace gyre
