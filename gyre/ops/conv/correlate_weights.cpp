#include <algorithm>

#include "gyre/base/thread_pool.h"
#include "gyre/op/launch.h"
#include "gyre/ops/conv/patches.h"

namespace gyre {
namespace {

// Below this many filters per group, values are not transposed to columns.
constexpr int64_t kFewWeightFilters = 8;
// Most filters of a task: their values fit the L2 cache.
constexpr int64_t kWeightFiltersAtOnce = 192;
// The windows are split into at most this many parts with separate sums; fewer if these need too
// much memory.
constexpr int64_t kMostWeightDepth = 512, kParts = 16, kPartBytes = int64_t{32} << 20;
// Register tiles of rows of patches that are copied at once.
constexpr int64_t kTilesAtOnce = 4;
// Windows of a block.
constexpr int64_t kBlockWindows = 256;
// Rows of copied patches are padded, so that they do not map to the same cache set.
constexpr int64_t kPatchRow = kBlockWindows + kLongestVector;

/// What a correlation's weights are summed up in: parts of blocks, filters along rows.
template <class T>
struct SumsLayout {
  int64_t row;    ///< elements from one k to the next
  int64_t parts;  ///< of the blocks
  SumsLayout(const Correlation& c, int64_t blocks) {
    row = round_up(c.filters, kLongestVector);
    const int64_t bytes = group(c) * c.groups * static_cast<int64_t>(sizeof(T));
    parts = std::clamp<int64_t>(kPartBytes / std::max<int64_t>(bytes, 1), 1, kParts);
    parts = std::clamp<int64_t>(blocks, 1, parts);
  }
  [[nodiscard]] int64_t group(const Correlation& c) const { return c.depth() * row; }
  [[nodiscard]] int64_t part(const Correlation& c) const { return group(c) * c.groups; }
};

template <class T>
class WeightCorrelator {
 public:
  WeightCorrelator(const Correlation& c, T* sums)
      : c_(c), plan_(c, kBlockWindows), layout_(c, plan_.blocks), sums_(sums) {
    few_ = c.filters < kFewWeightFilters;
    // Panels of about equal width: narrow ones use the FMA units less well.
    panel_ = few_ ? kFewWeightFilters
                  : round_up(divide_up(c.filters, divide_up(c.filters, gemm_.cols)), gemm_.width);
    depth_ =
        std::min(kMostWeightDepth / gemm_.group * gemm_.group, round_up(c.depth(), gemm_.group));
    // Passes of about equal length, in whole groups of rows.
    depth_ = round_up(divide_up(c.depth(), divide_up(c.depth(), depth_)), gemm_.group);
    passes_ = divide_up(c.depth(), depth_);
    chunks_ = divide_up(c.filters, kWeightFiltersAtOnce);
    // Values are loaded once for all passes if there is enough other parallelism.
    together_ = layout_.parts * c.groups * chunks_ >= 4 * num_threads() ? passes_ : 1;
  }

  void run() const {
    const int64_t turns = divide_up(passes_, together_);
    const int64_t tasks = layout_.parts * c_.groups * chunks_ * turns;
    parallel_for(tasks, 1, [&](int64_t begin, int64_t end) {
      for (int64_t task = begin; task < end; ++task) {
        const int64_t turn = task % turns, chunk = task / turns % chunks_;
        const int64_t group = task / turns / chunks_ % c_.groups;
        run_task(task / turns / chunks_ / c_.groups, group, chunk * kWeightFiltersAtOnce,
                 turn * together_);
      }
    });
  }

  /// Adds up the parts: weights of the filter f in `out`.
  void finish(int64_t filter, T* out) const {
    const T* from = sums_ + filter / c_.filters * layout_.group(c_) + filter % c_.filters;
    for (int64_t k = 0; k < c_.depth(); ++k) {
      double sum = 0;
      for (int64_t p = 0; p < layout_.parts; ++p) {
        sum += static_cast<double>(from[p * layout_.part(c_) + k * layout_.row]);
      }
      out[k] = static_cast<T>(sum);
    }
  }

 private:
  struct Memory {
    T *strip, *patches, *rows, *panels;
    int64_t* offsets;
  };

  void run_task(int64_t part, int64_t group, int64_t first, int64_t pass) const {
    const int64_t begin = plan_.blocks * part / layout_.parts;
    const int64_t end = plan_.blocks * (part + 1) / layout_.parts;
    const int64_t filters = std::min(kWeightFiltersAtOnce, c_.filters - first);
    T* sums = sums_ + part * layout_.part(c_) + group * layout_.group(c_) + first;
    const int64_t last = std::min(passes_, pass + together_);
    const int64_t channels = std::min(c_.channels, (depth_ - 1) / c_.taps() + 2);
    const int64_t panels = few_ ? 0 : round_up(filters, panel_) * kBlockWindows;
    const int64_t rows = std::max<int64_t>(gemm_.cols, kFewWeightFilters);
    const int64_t patches = kTilesAtOnce * gemm_.rows * kPatchRow;
    for (int64_t b = begin; b < end; ++b) {
      const Block block(c_, plan_, b);
      const int64_t strip = block.strip_size(channels);
      Pieces pieces(Pieces::size_for<T>(strip) + Pieces::size_for<T>(patches) +
                    Pieces::size_for<T>(rows * kPatchRow) + Pieces::size_for<T>(panels) +
                    Pieces::size_for<int64_t>(depth_));
      Memory m{pieces.take<T>(strip) + kLongestVector, pieces.take<T>(patches),
               pieces.take<T>(rows * kPatchRow), pieces.take<T>(panels),
               pieces.take<int64_t>(depth_)};
      place_values(block, group * c_.filters + first, filters, m);
      for (int64_t p = pass; p < last; ++p) {
        add_pass(block, group, p * depth_, filters, b > begin, m, sums);
      }
    }
  }

  /// Values of the block as panels [windows, filters], or as rows [filters, windows] if few.
  void place_values(const Block& block, int64_t filter, int64_t filters, const Memory& m) const {
    const int64_t windows = block.runs * block.run;
    if (few_) {
      for (int64_t f = 0; f < filters; ++f) {
        read_values(c_, block, filter + f, block.run, m.rows + f * kPatchRow);
      }
      return;
    }
    for (int64_t f = 0; f < filters; f += panel_) {
      const int64_t count = std::min<int64_t>(panel_, filters - f);
      const T* from = joined_values<T>(c_, block, filter + f);
      const int64_t apart = from ? c_.values.strides[1] : kPatchRow;
      for (int64_t i = 0; i < count && !from; ++i) {
        read_values(c_, block, filter + f + i, block.run, m.rows + i * kPatchRow);
      }
      gemm_.pack.columns({from ? from : m.rows, 1, apart, windows, count},
                         {m.panels + f * kBlockWindows, panel_, panel_, 0});
    }
  }

  void add_pass(const Block& block, int64_t group, int64_t k, int64_t filters, bool accumulate,
                const Memory& m, T* sums) const {
    const int64_t depth = std::min(depth_, c_.depth() - k);
    const int64_t channel = k / c_.taps(), last = (k + depth - 1) / c_.taps();
    block.fill_strip(group * c_.channels + channel, last - channel + 1, m.strip);
    block.offsets(k, depth, m.offsets);
    Stretch stretches[2 * kMostRuns];
    const int64_t count = block.stretches(kPatchRow, stretches);
    GemmBlock<T> product{};
    product.depth = block.runs * block.run;
    product.a = m.patches;
    product.a_row = kPatchRow;
    product.a_col = 1;
    product.a_group = gemm_.group * kPatchRow;
    product.b_row = few_ ? kPatchRow : panel_;
    product.c_row = layout_.row;
    product.accumulate = accumulate;
    product.by_rows = true;
    // Rows of patches are used while they are in the L1 cache.
    const int64_t rows = kTilesAtOnce * gemm_.rows;
    for (int64_t at = 0; at < depth; at += rows) {
      product.rows = std::min(rows, depth - at);
      tiles_.patches(
          {m.strip, m.offsets + at, product.rows, stretches, count, m.patches, kPatchRow});
      for (int64_t f = 0; f < filters; f += panel_) {
        product.cols = std::min(panel_, filters - f);
        product.b = few_ ? m.rows : m.panels + f * kBlockWindows;
        product.c = sums + (k + at) * layout_.row + f;
        (few_ ? gemm_.dot : gemm_.block)(product);
      }
    }
  }

  const Correlation& c_;
  const ConvTiles<T>& tiles_ = conv_tiles<T>();
  const GemmTiles<T>& gemm_ = product_tiles<T>();
  const BlockPlan plan_;
  const SumsLayout<T> layout_;
  T* sums_;
  bool few_;
  int64_t panel_;  ///< filters of a panel of values
  int64_t depth_, passes_, chunks_, together_;
};

template <class T>
void correlate_weights(const CorrelateWeightsPlan& p) {
  const View& weights = p.weights;
  const int64_t count = p.c.groups * p.c.filters, depth = p.c.depth();
  const WeightCorrelator<T> all(p.c, reinterpret_cast<T*>(p.sums));
  all.run();
  const auto size = static_cast<int64_t>(size_of(weights.dtype));
  const int64_t grain = divide_up(4096, depth);
  parallel_for(count, grain, [&](int64_t begin, int64_t end) {
    T* row = Pieces(Pieces::size_for<T>(depth)).take<T>(depth);
    for (int64_t f = begin; f < end; ++f) {
      all.finish(f, row);
      write_elements(row, weights.data + f * depth * size, weights.dtype, 1, depth);
    }
  });
}

}  // namespace

template <class T>
size_t weight_sums_bytes(const Correlation& c) {
  const BlockPlan plan(c, kBlockWindows);
  const SumsLayout<T> layout(c, plan.blocks);
  return static_cast<size_t>(layout.parts * layout.part(c)) * sizeof(T);
}

template size_t weight_sums_bytes<float>(const Correlation&);
template size_t weight_sums_bytes<double>(const Correlation&);

Status run_correlate_weights(const CorrelateWeightsPlan& p) noexcept {
  return run_or_report([&] {
    if (p.compute == Compute::f64) {
      correlate_weights<double>(p);
    } else {
      correlate_weights<float>(p);
    }
  });
}

}  // namespace gyre
