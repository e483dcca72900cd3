#pragma once
#include <array>

#include "gyre/kernel/convert.h"
#include "gyre/ops/conv/conv_tiles.h"
#include "gyre/ops/conv/correlation.h"
#include "gyre/ops/linalg/gemm_tiles.h"

// How correlations walk over windows and make patches.

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

/// How all windows (n, u, v) are cut: a run is a row of them or, if rows are long, a piece of one;
/// a block is so many successive runs.
struct BlockPlan {
  int64_t run = 0;     ///< windows of a run at most
  int64_t pieces = 1;  ///< runs of a row
  int64_t runs = 1;    ///< of a block
  int64_t blocks = 0, all_runs = 0;

  BlockPlan(const Correlation& c, int64_t windows_at_once);
};

/// Successive rows of one image in a block.
struct Segment {
  int64_t image, row, rows;
  int64_t first_run;  ///< in the block
  int64_t strip_row;  ///< where its rows begin in the strip
};

/// One block and the layout of its strip: the part of some channels that its windows see, with
/// zeros around the image. Columns that are a hop apart are neighbours in the strip, so that
/// neighbouring windows read neighbouring elements.
class Block {
 public:
  Block(const Correlation& c, const BlockPlan& plan, int64_t number);

  /// Where row k of patches begins in a strip that holds the channels from that of k = `from` on.
  void offsets(int64_t from, int64_t count, int64_t* out) const;
  /// A row of patches cut into panels of `panel` columns; returns how many stretches there are.
  int64_t stretches(int64_t panel, Stretch* out) const;
  /// Where the windows of a run begin in the strip.
  [[nodiscard]] int64_t run_start(int64_t run) const;

  /// Copies the part of channels [first, first + count) of the image's axis 1 into the strip.
  template <class T>
  void fill_strip(int64_t first, int64_t count, T* strip) const;

  /// Fetches what fill_strip(first, count) will read, the part-th of so many parts of it.
  void prefetch(int64_t first, int64_t count, int64_t part, int64_t parts) const;

  /// Elements of a strip of so many channels, with what vectors read before and behind it.
  [[nodiscard]] int64_t strip_size(int64_t channels) const {
    return channels * channel_ + 2 * kLongestVector;
  }

  int64_t run = 0;     ///< windows of a run
  int64_t runs = 0;    ///< of this block
  int64_t column = 0;  ///< of the first window of each run
  std::array<Segment, kMostRuns> segments;
  int64_t segment_count = 0;

 private:
  /// Rows of the image that a segment sees: the first, which may lie above it, and how many.
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

/// Memory of a thread, handed out piece by piece on 64-byte boundaries.
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

/// n elements from T to or from any dtype, `stride` elements apart.
template <class T>
void read_elements(const std::byte* in, DType dtype, int64_t stride, T* out, int64_t n);
template <class T>
void write_elements(const T* in, std::byte* out, DType dtype, int64_t stride, int64_t n);

/// Where a filter's values of a block lie, if they are of type T and follow each other; else null.
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
