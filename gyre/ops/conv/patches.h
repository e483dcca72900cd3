#pragma once
#include <array>

#include "gyre/kernel/convert.h"
#include "gyre/ops/conv/conv_tiles.h"
#include "gyre/ops/conv/correlation.h"
#include "gyre/ops/linalg/gemm_tiles.h"

// Iteration over windows and construction of patches for correlations.

namespace gyre {

constexpr int64_t round_up(int64_t x, int64_t to) { return (x + to - 1) / to * to; }
constexpr int64_t divide_up(int64_t x, int64_t by) { return (x + by - 1) / by; }

/// Tiles of the instruction set in use.
template <class T>
const ConvTiles<T>& conv_tiles();
template <class T>
const GemmTiles<T>& product_tiles();

inline constexpr int64_t kMostRuns = 256;      ///< of a block
inline constexpr int64_t kLongestVector = 16;  ///< lanes, of any instruction set

/// Partition of all windows (n, u, v): a run is a row of windows or, if rows are long, a piece of
/// one; a block is several consecutive runs.
struct BlockPlan {
  int64_t run = 0;     ///< windows of a run at most
  int64_t pieces = 1;  ///< runs of a row
  int64_t runs = 1;    ///< of a block
  int64_t blocks = 0, all_runs = 0;

  BlockPlan(const Correlation& c, int64_t windows_at_once);
};

/// Consecutive rows of one image in a block.
struct Segment {
  int64_t image, row, rows;
  int64_t first_run;  ///< in the block
  int64_t strip_row;  ///< first row in the strip
};

/// One block and the layout of its strip: the part of some channels that its windows cover, with
/// zero padding. Columns a hop apart are adjacent in the strip, so that adjacent windows read
/// adjacent elements.
class Block {
 public:
  Block(const Correlation& c, const BlockPlan& plan, int64_t number);

  /// Offset of row k of patches in a strip that holds the channels starting at that of k = `from`.
  void offsets(int64_t from, int64_t count, int64_t* out) const;
  /// Splits a row of patches into panels of `panel` columns; returns the number of stretches.
  int64_t stretches(int64_t panel, Stretch* out) const;
  /// Offset of the windows of a run in the strip.
  [[nodiscard]] int64_t run_start(int64_t run) const;

  /// Copies the part of channels [first, first + count) of the image's axis 1 into the strip.
  template <class T>
  void fill_strip(int64_t first, int64_t count, T* strip) const;

  /// Prefetches part `part` of `parts` of what fill_strip(first, count) will read.
  void prefetch(int64_t first, int64_t count, int64_t part, int64_t parts) const;

  /// Elements of a strip of this many channels, including the margins that vector loads touch.
  [[nodiscard]] int64_t strip_size(int64_t channels) const {
    return channels * channel_ + 2 * kLongestVector;
  }

  int64_t run = 0;     ///< windows of a run
  int64_t runs = 0;    ///< of this block
  int64_t column = 0;  ///< of the first window of each run
  std::array<Segment, kMostRuns> segments;
  int64_t segment_count = 0;

 private:
  /// Rows of the image that a segment covers: the first, which may be negative, and the count.
  [[nodiscard]] int64_t top(const Segment& s) const { return s.row * c_.rows.hop + c_.rows.first; }
  [[nodiscard]] int64_t height(const Segment& s) const {
    return (s.rows - 1) * c_.rows.hop + (c_.rows.taps > 0 ? c_.rows.taps - 1 : 0) * c_.rows.pace +
           1;
  }
  [[nodiscard]] bool needs_row(const Segment& s, int64_t row) const;
  template <class T>
  void fill_row(const std::byte* row, T* out) const;

  const Correlation& c_;
  int64_t phase_ = 0;    ///< columns of the strip of one remainder by hop
  int64_t row_ = 0;      ///< elements of a row
  int64_t channel_ = 0;  ///< elements of a channel
};

/// Thread-local memory, allocated in pieces aligned to 64 bytes.
class Pieces {
 public:
  explicit Pieces(size_t bytes);
  template <class T>
  T* take(int64_t count) {
    std::byte* piece = at_;
    at_ += size_for<T>(count);
    return reinterpret_cast<T*>(piece);
  }
  template <class T>
  static size_t size_for(int64_t count) {
    return static_cast<size_t>(round_up(count * static_cast<int64_t>(sizeof(T)), 64));
  }

 private:
  std::byte* at_;
};

/// Copies n elements of T to or from any dtype, `stride` elements apart.
template <class T>
void load_row(const std::byte* in, DType dtype, int64_t stride, T* out, int64_t n);
template <class T>
void write_elements(const T* in, std::byte* out, DType dtype, int64_t stride, int64_t n);

/// Pointer to a filter's values of a block if they are contiguous T; otherwise null.
template <class T>
T* joined_values(const Correlation& c, const Block& block, int64_t filter);

/// Copies the values of a block's segment to or from their place, `rows` holding runs of filter f
/// `apart` elements apart.
template <class T>
void read_values(const Correlation& c, const Block& block, int64_t filter, int64_t apart, T* rows);
template <class T>
void write_values(const Correlation& c, const Block& block, int64_t filter, int64_t apart,
                  const T* rows);

}  // namespace gyre
