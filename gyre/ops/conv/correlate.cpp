#include <algorithm>

#include "gyre/base/thread_pool.h"
#include "gyre/op/launch.h"
#include "gyre/ops/conv/patches.h"

namespace gyre {
namespace {

// Below this many filters per group, copying patches would dominate.
constexpr int64_t kFewFilters = 4;
// Most filters of a task: their sums fit the L2 cache.
constexpr int64_t kFiltersAtOnce = 256;
// Windows of a block whose patches are copied, and of one whose patches are read in place.
constexpr int64_t kWindowsAtOnce = 256, kDirectWindows = 2048;
// Most depth of a pass: a panel of patches and the strip fit the L2 cache.
constexpr int64_t kMostDepth = 320;
// Approximate number of multiplications of a chunk of tasks.
constexpr double kChunkWork = 0.5e6;

template <class T>
class Correlator {
 public:
  explicit Correlator(const CorrelatePlan& p)
      : c_(p.c),
        weights_(reinterpret_cast<const T*>(p.weights)),
        bias_(reinterpret_cast<const T*>(p.bias)),
        direct_(c_.filters < kFewFilters),
        plan_(c_, direct_ ? kDirectWindows : kWindowsAtOnce),
        depth_(pass_depth(c_)) {
    apart_ = direct_ ? round_up(plan_.run, kLongestVector) : plan_.run;
    sums_row_ = round_up(plan_.runs * apart_, kLongestVector) + kLongestVector;
    filters_ = std::min(c_.filters, kFiltersAtOnce);
    // If there are few blocks, filters are split as well, with identical results.
    const int64_t cuts =
        divide_up(2 * num_threads(), std::max<int64_t>(1, plan_.blocks * c_.groups));
    if (!direct_) filters_ = std::min(filters_, round_up(divide_up(c_.filters, cuts), gemm_.group));
    chunks_ = divide_up(c_.filters, filters_);
  }

  void run() const {
    const int64_t tasks = plan_.blocks * c_.groups * chunks_;
    const double work = static_cast<double>(plan_.runs * plan_.run * filters_) *
                        static_cast<double>(c_.depth() + 1);
    // Consecutive blocks share rows.
    const auto grain =
        std::max(static_cast<int64_t>(kChunkWork / work) + 1, tasks / (16 * num_threads()));
    parallel_for(tasks, grain, [&](int64_t begin, int64_t end) {
      for (int64_t task = begin; task < end; ++task) {
        const int64_t rest = task / chunks_;
        const int64_t first = task % chunks_ * filters_;
        run_task(rest / c_.groups, rest % c_.groups, first, std::min(filters_, c_.filters - first));
      }
    });
  }

  /// The depth of a pass: all are about as long, of whole channels if these are short.
  static int64_t pass_depth(const Correlation& c) {
    const bool whole = c.taps() > 0 && 2 * c.taps() <= kMostDepth;
    const int64_t unit = whole ? c.taps() : 8, units = divide_up(c.depth(), unit);
    const int64_t passes = divide_up(units, kMostDepth / unit);
    return passes == 0 ? 0 : divide_up(units, passes) * unit;
  }

 private:
  void run_task(int64_t number, int64_t group, int64_t first, int64_t filters) const {
    const Block block(c_, plan_, number);
    const int64_t channels =
        c_.taps() == 0 ? 0 : std::min(c_.channels, (depth_ - 1) / c_.taps() + 2);
    const int64_t strip_size = block.strip_size(channels);
    const int64_t panel = direct_ ? 0 : gemm_.cols * depth_ + kLongestVector;
    Pieces pieces(Pieces::size_for<T>(strip_size) + Pieces::size_for<T>(panel) +
                  Pieces::size_for<T>(filters * sums_row_) + Pieces::size_for<int64_t>(depth_));
    T* strip = pieces.take<T>(strip_size) + kLongestVector;
    T* rows = pieces.take<T>(panel);
    T* buffer = pieces.take<T>(filters * sums_row_);
    auto* offsets = pieces.take<int64_t>(depth_);
    const int64_t filter = group * c_.filters + first;
    const SumRows sums = sum_rows(block, filter, buffer);
    if (bias_ && !direct_) {
      for (int64_t f = 0; f < filters; ++f) {
        tiles_.fill(bias_[filter + f], sums.data + f * sums.row, block.runs * block.run);
      }
    }
    int64_t k = 0;
    do {
      const int64_t depth = std::min(depth_, c_.depth() - k);
      fill(block, group, k, strip, offsets);
      const T* weights = weights_ + filter * c_.depth() + k;
      if (direct_) {
        add_direct(block, strip, offsets, weights, filter, filters, k, depth, buffer);
      } else {
        add_product(
            block, strip, offsets, weights, filters, k, depth, rows, sums,
            [&](int64_t part, int64_t parts) { prefetch(block, number, group, k, part, parts); });
      }
      k += depth_;
    } while (k < c_.depth());
    for (int64_t f = 0; f < filters && sums.data == buffer; ++f) {
      write_values(c_, block, filter + f, direct_ ? apart_ : block.run, buffer + f * sums_row_);
    }
  }

  /// Where a block's values are summed up: a row a filter.
  struct SumRows {
    T* data;
    int64_t row;
  };
  /// Their own place if they lie there as they are summed, else the buffer.
  [[nodiscard]] SumRows sum_rows(const Block& block, int64_t filter, T* buffer) const {
    T* place = direct_ ? nullptr : joined_values<T>(c_, block, filter);
    return place ? SumRows{place, c_.values.strides[1]} : SumRows{buffer, sums_row_};
  }

  struct Channels {
    int64_t first, count;
  };
  /// What the pass from k on reads of the image.
  [[nodiscard]] Channels channels_of(int64_t group, int64_t k) const {
    const int64_t first = k / c_.taps(), end = std::min(k + depth_, c_.depth());
    return {group * c_.channels + first, (end - 1) / c_.taps() - first + 1};
  }

  void fill(const Block& block, int64_t group, int64_t k, T* strip, int64_t* offsets) const {
    if (c_.depth() == 0) return;
    const Channels channels = channels_of(group, k);
    block.fill_strip(channels.first, channels.count, strip);
    block.offsets(k, std::min(depth_, c_.depth() - k), offsets);
  }

  /// Fetches part of what the pass after k, in this block or the next, will read.
  void prefetch(const Block& block, int64_t number, int64_t group, int64_t k, int64_t part,
                int64_t parts) const {
    const bool last = k + depth_ >= c_.depth();
    if (c_.depth() == 0 || (last && number + 1 == plan_.blocks)) return;
    const Channels channels = channels_of(group, last ? 0 : k + depth_);
    if (last) {
      Block(c_, plan_, number + 1).prefetch(channels.first, channels.count, part, parts);
    } else {
      block.prefetch(channels.first, channels.count, part, parts);
    }
  }

  void add_product(const Block& block, const T* strip, const int64_t* offsets, const T* weights,
                   int64_t filters, int64_t k, int64_t depth, T* rows, const SumRows& sums,
                   auto meanwhile) const {
    Stretch stretches[2 * kMostRuns];
    const int64_t count = block.stretches(gemm_.cols, stretches);
    GemmBlock<T> product{};
    product.rows = filters;
    product.depth = depth;
    product.a = weights;
    product.a_row = c_.depth();
    product.a_col = 1;
    product.a_group = gemm_.group * c_.depth();
    product.b = rows;
    product.b_row = gemm_.cols;
    product.c_row = sums.row;
    product.accumulate = k > 0 || bias_;
    // A panel of patches is used at once, while it is in the cache.
    const int64_t windows = block.runs * block.run;
    const Stretch *first = stretches, *end = stretches + count;
    for (int64_t at = 0; at < windows; at += gemm_.cols) {
      const Stretch* last = first;
      while (last < end && last->panel == at / gemm_.cols) ++last;
      tiles_.patches({strip, offsets, depth, first, last - first, rows, gemm_.cols});
      product.c = sums.data + at;
      product.cols = std::min<int64_t>(gemm_.cols, windows - at);
      meanwhile(at / gemm_.cols, divide_up(windows, gemm_.cols));
      gemm_.block(product);
      first = last;
    }
  }

  void add_direct(const Block& block, const T* strip, const int64_t* offsets, const T* weights,
                  int64_t filter, int64_t filters, int64_t k, int64_t depth, T* sums) const {
    for (int64_t f = 0; f < filters; ++f) {
      const T start = bias_ ? bias_[filter + f] : T(0);
      for (int64_t r = 0; r < block.runs; ++r) {
        tiles_.direct({strip + block.run_start(r), offsets, weights + f * c_.depth(), depth, start,
                       k > 0, sums + f * sums_row_ + r * apart_, block.run});
      }
    }
  }

  const Correlation& c_;
  const T *weights_, *bias_;
  const ConvTiles<T>& tiles_ = conv_tiles<T>();
  const GemmTiles<T>& gemm_ = product_tiles<T>();
  const bool direct_;
  const BlockPlan plan_;
  const int64_t depth_;  ///< of a pass
  int64_t apart_;        ///< from a run's sums to the next
  int64_t sums_row_;     ///< from a filter's sums to the next
  int64_t filters_, chunks_;
};

}  // namespace

Status run_correlate(const CorrelatePlan& p) noexcept {
  return run_or_report([&] {
    if (p.compute == Compute::f64) {
      Correlator<double>(p).run();
    } else {
      Correlator<float>(p).run();
    }
  });
}

}  // namespace gyre
