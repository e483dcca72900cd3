#include "gyre/ops/conv/patches.h"

#include <cstring>
#include <numeric>

#include "gyre/base/cpu.h"
#include "gyre/base/thread_pool.h"
#include "gyre/kernel/per_isa.h"
#include "gyre/kernel/strided.h"

namespace gyre {

GYRE_DECLARE_TILES(AllConvTiles, conv)
GYRE_DECLARE_TILES(AllGemmTiles, gemm)

GYRE_TILES_FUNCTION_OF_T(const ConvTiles<T>&, conv_tiles, AllConvTiles, conv)

GYRE_TILES_FUNCTION_OF_T(const GemmTiles<T>&, product_tiles, AllGemmTiles, gemm)

BlockPlan::BlockPlan(const Correlation& c, int64_t windows_at_once) {
  const int64_t width = c.cols.windows;
  run = width;
  if (width > windows_at_once) {
    pieces = divide_up(width, windows_at_once - kLongestVector);
    run = round_up(divide_up(width, pieces), kLongestVector);
    pieces = divide_up(width, run);
  }
  all_runs = c.image.shape[0] * c.rows.windows * pieces;
  // The largest number of runs that wastes the fewest lanes; affects speed only.
  double best = 0;
  for (int64_t n = 1; pieces == 1 && n * run <= windows_at_once && n <= kMostRuns; ++n) {
    const double full =
        static_cast<double>(n * run) / static_cast<double>(round_up(n * run, kLongestVector));
    if (full >= best || n * run < windows_at_once / 3) {
      best = full;
      runs = n;
    }
  }
  blocks = divide_up(all_runs, runs);
}

Block::Block(const Correlation& c, const BlockPlan& plan, int64_t number) : c_(c) {
  int64_t at = number * plan.runs;
  runs = plan.all_runs - at < plan.runs ? plan.all_runs - at : plan.runs;
  column = at % plan.pieces * plan.run;
  run = c.cols.windows - column < plan.run ? c.cols.windows - column : plan.run;
  const bool seen = c.taps() > 0;
  phase_ = run + (seen ? (c.cols.taps - 1) * c.cols.pace / c.cols.hop : 0);
  row_ = phase_ * c.cols.hop;
  int64_t strip_row = 0;
  at /= plan.pieces;
  for (int64_t done = 0; done < runs;) {
    const int64_t row = at % c.rows.windows, left = c.rows.windows - row;
    const int64_t rows = runs - done < left ? runs - done : left;
    segments[static_cast<size_t>(segment_count++)] = {at / c.rows.windows, row, rows, done,
                                                      strip_row};
    strip_row += height(segments[static_cast<size_t>(segment_count - 1)]);
    done += rows;
    at += rows;
  }
  channel_ = strip_row * row_;
}

void Block::offsets(int64_t from, int64_t count, int64_t* out) const {
  const int64_t taps = c_.taps(), width = c_.cols.taps;
  if (taps == 0) return;
  int64_t channel = 0, s = from % taps / width, t = from % width;
  for (int64_t k = 0; k < count; ++k) {
    const int64_t column = t * c_.cols.pace;
    const int64_t in_row =
        c_.cols.hop == 1 ? column : column % c_.cols.hop * phase_ + column / c_.cols.hop;
    out[k] = channel * channel_ + s * c_.rows.pace * row_ + in_row;
    if (++t == width) {
      t = 0;
      if (++s == c_.rows.taps) s = 0, ++channel;
    }
  }
}

int64_t Block::run_start(int64_t number) const {
  int64_t s = 0;
  while (s + 1 < segment_count && segments[static_cast<size_t>(s + 1)].first_run <= number) ++s;
  const Segment& segment = segments[static_cast<size_t>(s)];
  return (segment.strip_row + (number - segment.first_run) * c_.rows.hop) * row_;
}

int64_t Block::stretches(int64_t panel, Stretch* out) const {
  int64_t n = 0;
  for (int64_t s = 0, at = 0; s < segment_count; ++s) {
    const Segment& segment = segments[static_cast<size_t>(s)];
    for (int64_t r = 0; r < segment.rows; ++r) {
      int64_t from = (segment.strip_row + r * c_.rows.hop) * row_;
      for (int64_t left = run; left > 0;) {
        const int64_t room = panel - at % panel, count = left < room ? left : room;
        const bool joined = n > 0 && out[n - 1].from + out[n - 1].count == from && at % panel != 0;
        if (joined) {
          out[n - 1].count += count;
        } else {
          out[n++] = {from, at % panel, count, at / panel};
        }
        from += count;
        at += count;
        left -= count;
      }
    }
  }
  return n;
}

bool Block::needs_row(const Segment& s, int64_t row) const {
  if (c_.rows.hop == 1 && c_.rows.pace == 1) return true;
  for (int64_t t = 0; t < c_.rows.taps; ++t) {
    const int64_t at = row - t * c_.rows.pace;
    if (at >= 0 && at % c_.rows.hop == 0 && at / c_.rows.hop < s.rows) return true;
  }
  return false;
}

namespace {

constexpr int64_t kLine = 64;  // bytes

/// Which of the places first, first + hop, ... (n of them) lie in [0, size).
struct Inside {
  int64_t before, count;
  Inside(int64_t first, int64_t hop, int64_t n, int64_t size) {
    before = first < 0 ? divide_up(-first, hop) : 0;
    if (before > n) before = n;
    const int64_t end = size > first ? divide_up(size - first, hop) : 0;
    count = (end < n ? end : n) - before;
    if (count < 0) count = 0;
  }
};

}  // namespace

template <class T>
void Block::fill_row(const std::byte* row, T* out) const {
  const WindowAxis& axis = c_.cols;
  const int64_t stride = c_.image.strides[3];
  const auto size = static_cast<int64_t>(size_of(c_.image.dtype));
  const int64_t phases = axis.hop / std::gcd(axis.hop, axis.pace);
  for (int64_t t = 0; t < axis.taps && t < phases; ++t) {
    const int64_t phase = t * axis.pace % axis.hop;
    const int64_t first = column * axis.hop + axis.first + phase;
    T* to = out + phase * phase_;
    const Inside inside(first, axis.hop, phase_, axis.size);
    conv_tiles<T>().fill(T(0), to, inside.before);
    if (inside.count > 0) {
      load_row(row + (first + inside.before * axis.hop) * stride * size, c_.image.dtype,
               axis.hop * stride, to + inside.before, inside.count);
    }
    const int64_t done = inside.before + inside.count;
    conv_tiles<T>().fill(T(0), to + done, phase_ - done);
  }
}

template <class T>
void Block::fill_strip(int64_t first, int64_t count, T* strip) const {
  const View& x = c_.image;
  const auto size = static_cast<int64_t>(size_of(x.dtype));
  const bool plain = c_.cols.hop == 1 && x.strides[3] == 1 && x.dtype == kDTypeOf<T> &&
                     c_.rows.hop == 1 && c_.rows.pace == 1;
  const ConvTiles<T>& tiles = conv_tiles<T>();
  for (int64_t c = 0; c < count; ++c) {
    for (int64_t i = 0; i < segment_count; ++i) {
      const Segment& s = segments[static_cast<size_t>(i)];
      T* out = strip + c * channel_ + s.strip_row * row_;
      const std::byte* in = x.data + (s.image * x.strides[0] + (first + c) * x.strides[1]) * size;
      const int64_t above = top(s), rows = height(s);
      const Inside inside(above, 1, rows, c_.rows.size);
      tiles.fill(T(0), out, inside.before * row_);
      if (plain && inside.count > 0) {
        const Inside across(column + c_.cols.first, 1, phase_, c_.cols.size);
        const int64_t left = column + c_.cols.first + across.before;
        tiles.pad({reinterpret_cast<const T*>(in) + (above + inside.before) * x.strides[2] +
                       (across.count > 0 ? left : 0),
                   x.strides[2], out + inside.before * row_, row_, inside.count, across.before,
                   across.count, phase_ - across.before - across.count});
      } else {
        for (int64_t y = inside.before; y < inside.before + inside.count; ++y) {
          if (needs_row(s, y)) fill_row(in + (above + y) * x.strides[2] * size, out + y * row_);
        }
      }
      const int64_t done = inside.before + inside.count;
      tiles.fill(T(0), out + done * row_, (rows - done) * row_);
    }
  }
}

void Block::prefetch(int64_t first, int64_t count, int64_t part, int64_t parts) const {
  const View& x = c_.image;
  const auto size = static_cast<int64_t>(size_of(x.dtype));
  if (x.strides[3] != 1 || x.strides[2] != c_.cols.size) return;
  const int64_t end = first + count * (part + 1) / parts;
  for (int64_t c = first + count * part / parts; c < end; ++c) {
    for (int64_t i = 0; i < segment_count; ++i) {
      const Segment& s = segments[static_cast<size_t>(i)];
      const Inside inside(top(s), 1, height(s), c_.rows.size);
      const std::byte* from = x.data + (s.image * x.strides[0] + c * x.strides[1] +
                                        (top(s) + inside.before) * x.strides[2]) *
                                           size;
      const int64_t bytes = inside.count * x.strides[2] * size;
      for (int64_t at = 0; at < bytes; at += kLine) __builtin_prefetch(from + at, 0, 2);
    }
  }
}

Pieces::Pieces(size_t bytes) : at_(thread_scratch(bytes)) {}

namespace {

template <class T>
constexpr Compute kCompute = sizeof(T) == 4 ? Compute::f32 : Compute::f64;

constexpr int64_t kElementsAtOnce = 512;

}  // namespace

template <class T>
void load_row(const std::byte* in, DType dtype, int64_t stride, T* out, int64_t n) {
  const ConvertTiles& tiles = convert_tiles();
  const auto size = static_cast<int64_t>(size_of(dtype));
  const bool same = dtype == kDTypeOf<T>;
  const Convert load = tiles.load[static_cast<int>(dtype)][static_cast<int>(kCompute<T>)];
  const Gather gather = tiles.gather[log2_of(size_of(dtype))];
  if (same && stride == 1) return void(std::memcpy(out, in, static_cast<size_t>(n) * sizeof(T)));
  if (stride == 1) return load(in, out, n);
  if (same) return gather(in, stride, out, n);
  alignas(64) std::byte piece[kElementsAtOnce * 8];
  for (int64_t i = 0; i < n; i += kElementsAtOnce) {
    const int64_t m = n - i < kElementsAtOnce ? n - i : kElementsAtOnce;
    gather(in + i * stride * size, stride, piece, m);
    load(piece, out + i, m);
  }
}

template <class T>
void write_elements(const T* in, std::byte* out, DType dtype, int64_t stride, int64_t n) {
  const ConvertTiles& tiles = convert_tiles();
  const auto size = static_cast<int64_t>(size_of(dtype));
  const bool same = dtype == kDTypeOf<T>;
  const Convert store = tiles.store[static_cast<int>(kCompute<T>)][static_cast<int>(dtype)];
  const Scatter scatter = tiles.scatter[log2_of(size_of(dtype))];
  if (same && stride == 1) return void(std::memcpy(out, in, static_cast<size_t>(n) * sizeof(T)));
  if (stride == 1) return store(in, out, n);
  if (same) return scatter(in, out, stride, n);
  alignas(64) std::byte piece[kElementsAtOnce * 8];
  for (int64_t i = 0; i < n; i += kElementsAtOnce) {
    const int64_t m = n - i < kElementsAtOnce ? n - i : kElementsAtOnce;
    store(in + i, piece, m);
    scatter(piece, out + i * stride * size, stride, m);
  }
}

namespace {

/// body(place, stride, first, n): n values from `place` on, `stride` elements apart, belong to the
/// windows from `first` on, counted with runs that are `apart` windows apart.
template <class Body>
void for_values(const Correlation& c, const Block& block, int64_t filter, int64_t apart,
                Body body) {
  const View& v = c.values;
  const auto size = static_cast<int64_t>(size_of(v.dtype));
  for (int64_t i = 0; i < block.segment_count; ++i) {
    const Segment& s = block.segments[static_cast<size_t>(i)];
    std::byte* place = v.data + (s.image * v.strides[0] + filter * v.strides[1] +
                                 s.row * v.strides[2] + block.column * v.strides[3]) *
                                    size;
    // Contiguous rows are merged.
    const bool joined = apart == block.run && v.strides[2] == block.run * v.strides[3];
    const int64_t rows = joined ? 1 : s.rows, n = joined ? s.rows * block.run : block.run;
    for (int64_t r = 0; r < rows; ++r) {
      body(place + r * v.strides[2] * size, v.strides[3], (s.first_run + r) * apart, n);
    }
  }
}

}  // namespace

template <class T>
T* joined_values(const Correlation& c, const Block& block, int64_t filter) {
  const View& v = c.values;
  const Segment& s = block.segments[0];
  const bool joined = v.dtype == kDTypeOf<T> && block.segment_count == 1 && v.strides[3] == 1 &&
                      (s.rows == 1 || v.strides[2] == block.run);
  if (!joined) return nullptr;
  return reinterpret_cast<T*>(v.data) + s.image * v.strides[0] + filter * v.strides[1] +
         s.row * v.strides[2] + block.column;
}

template <class T>
void read_values(const Correlation& c, const Block& block, int64_t filter, int64_t apart, T* rows) {
  for_values(c, block, filter, apart,
             [&](const std::byte* place, int64_t stride, int64_t first, int64_t n) {
               load_row(place, c.values.dtype, stride, rows + first, n);
             });
}

template <class T>
void write_values(const Correlation& c, const Block& block, int64_t filter, int64_t apart,
                  const T* rows) {
  for_values(c, block, filter, apart,
             [&](std::byte* place, int64_t stride, int64_t first, int64_t n) {
               write_elements(rows + first, place, c.values.dtype, stride, n);
             });
}

#define GYRE_INSTANTIATE(T)                                                          \
  template const ConvTiles<T>& conv_tiles<T>();                                      \
  template const GemmTiles<T>& product_tiles<T>();                                   \
  template void Block::fill_strip(int64_t, int64_t, T*) const;                       \
  template void load_row(const std::byte*, DType, int64_t, T*, int64_t);             \
  template void write_elements(const T*, std::byte*, DType, int64_t, int64_t);       \
  template T* joined_values(const Correlation&, const Block&, int64_t);              \
  template void read_values(const Correlation&, const Block&, int64_t, int64_t, T*); \
  template void write_values(const Correlation&, const Block&, int64_t, int64_t, const T*);
GYRE_INSTANTIATE(float)
GYRE_INSTANTIATE(double)
#undef GYRE_INSTANTIATE

}  // namespace gyre
