#include "gyre/ops/sparse/semiring_product.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <vector>

#include "gyre/kernel/outer_axes.h"
#include "gyre/kernel/per_isa.h"
#include "gyre/op/launch.h"
#include "gyre/ops/sparse/semiring_tiles.h"
#include "gyre/ops/sparse/structure.h"

namespace gyre {

GYRE_DECLARE_TILES(AllSemiringTiles, semiring)

namespace {

GYRE_TILES_FUNCTION_OF_T(const SemiringTiles<T>&, semiring_tiles, AllSemiringTiles, semiring)

bool adds(Semiring s) { return s == Semiring::min_plus || s == Semiring::max_plus; }
bool is_least(Semiring s) { return s == Semiring::min_plus || s == Semiring::min_times; }

template <class T>
Specials specials_of(const ProductOperand& factor) {
  View v = factor.view;
  const int last = v.shape.rank - 1;
  if (v.strides[last] != 1) {
    std::swap(v.strides[last], v.strides[last - 1]);
    std::swap(v.shape[last], v.shape[last - 1]);
  }
  const StridedLoop loop(v);
  const auto* data = reinterpret_cast<const T*>(v.data);
  const auto count = semiring_tiles<T>().count;
  Specials all;
  if (loop.rank == 0) {
    count(data, 1, all);
    return all;
  }
  const int64_t step = loop.strides[0][loop.rank - 1];
  std::atomic<int64_t> nan{0}, positive{0}, negative{0}, zero{0};
  for_rows<1>(loop, [&](const int64_t* offset, int64_t first, int64_t n) {
    Specials found;
    const T* from = data + offset[0] + first * step;
    if (step == 1) {
      count(from, n, found);
    } else {
      for (int64_t i = 0; i < n; ++i) count(from + i * step, 1, found);
    }
    nan += found.nan;
    positive += found.positive;
    negative += found.negative;
    zero += found.zero;
  });
  return {nan, positive, negative, zero};
}

// Whether a combination of an element of a and one of b may be NaN.
bool may_be_nan(Semiring s, const Specials& a, const Specials& b) {
  if (a.nan || b.nan) return true;
  if (adds(s)) return (a.positive && b.negative) || (a.negative && b.positive);
  return ((a.positive || a.negative) && b.zero) || (a.zero && (b.positive || b.negative));
}

/// The elements of a matrix that are not the identity, row by row.
template <class T>
struct LiveElements {
  std::vector<int64_t> offsets, places;
  std::vector<T> values;

  // Both passes read in the order of memory.
  LiveElements(const ProductOperand& x, const T* data, T none, int64_t most)
      : offsets(static_cast<size_t>(x.rows()) + 2, 0) {
    const int64_t rows = x.rows(), columns = x.cols(), row = x.row_stride(), col = x.col_stride();
    const bool by_rows = col == 1 || columns <= 1;
    const int64_t outer = by_rows ? rows : columns, inner = by_rows ? columns : rows;
    const int64_t outer_step = by_rows ? row : col, inner_step = by_rows ? col : row;
    const auto each = [&](auto f) {
      for (int64_t i = 0; i < outer; ++i) {
        const T* from = data + i * outer_step;
        for (int64_t j = 0; j < inner; ++j) {
          if (const T v = from[j * inner_step]; v != none) f(by_rows ? i : j, by_rows ? j : i, v);
        }
      }
    };
    // next[r] is where the next element of row r goes, and in the end where row r + 1 begins
    int64_t* next = offsets.data() + 1;
    each([&](int64_t r, int64_t, T) { ++next[r + 1]; });
    for (int64_t r = 0; r < rows; ++r) next[r + 1] += next[r];
    places.resize(static_cast<size_t>(most));
    values.resize(static_cast<size_t>(most));
    each([&](int64_t r, int64_t c, T v) {
      const auto to = static_cast<size_t>(next[r]++);
      places[to] = c;
      values[to] = v;
    });
  }
};

constexpr int64_t kDepth = 256, kPanel = 64, kRows = 128;

template <class T>
class Product {
 public:
  explicit Product(const SemiringPlan& p)
      : p_(p), rows_(p.x.rows()), depth_(p.x.cols()), cols_(p.y.cols()), count_(numel(p.batch)) {}

  void run() const {
    // a pass over the factors does not pay if they are used a few times only
    if (cols_ < 8 || rows_ < 4 || depth_ == 0) return blocks(tiles_.any);
    const Specials x = specials_of<T>(p_.x), y = specials_of<T>(p_.y);
    if (may_be_nan(p_.semiring, x, y)) return blocks(tiles_.any);
    const int64_t none = is_least(p_.semiring) ? x.positive : x.negative;
    const int64_t live = numel(p_.x.view.shape) - none;
    if (!adds(p_.semiring) || 4 * live > numel(p_.x.view.shape)) return blocks(tiles_.finite);
    for (int64_t i = 0; i < count_; ++i) sparse(i, live);
  }

 private:
  using Block = void (*)(const SemiringBlock<T>&) noexcept;
  using Choice = Block const (&)[4];

  [[nodiscard]] T identity() const {
    constexpr T kInfinity = std::numeric_limits<T>::infinity();
    return is_least(p_.semiring) ? kInfinity : -kInfinity;
  }
  [[nodiscard]] const T* x(int64_t i) const {
    return reinterpret_cast<const T*>(p_.x.view.data) + p_.x.offset(p_.batch, i);
  }
  [[nodiscard]] const T* y(int64_t i) const {
    return reinterpret_cast<const T*>(p_.y.view.data) + p_.y.offset(p_.batch, i);
  }
  [[nodiscard]] T* out(int64_t i) const { return reinterpret_cast<T*>(p_.out) + i * rows_ * cols_; }
  [[nodiscard]] int64_t* witness(int64_t i) const {
    return p_.witness ? p_.witness + i * rows_ * cols_ : nullptr;
  }

  void start(T* c, int64_t* place, int64_t rows, int64_t cols) const {
    for (int64_t r = 0; r < rows; ++r) {
      std::fill_n(c + r * cols_, cols, identity());
      if (place) std::fill_n(place + r * cols_, cols, int64_t{-1});
    }
  }

  void blocks(Choice choice) const {
    const Block block = choice[static_cast<size_t>(p_.semiring)];
    const int64_t down = (rows_ + kRows - 1) / kRows, across = (cols_ + kPanel - 1) / kPanel;
    parallel_for(count_ * down * across, 1, [&](int64_t begin, int64_t end) {
      for (int64_t unit = begin; unit < end; ++unit) {
        const int64_t panel = unit % across, band = unit / across % down;
        one_block(block, unit / across / down, band * kRows, panel * kPanel);
      }
    });
  }

  // Rows [i, i + kRows) and columns [j, j + kPanel) of result n.
  void one_block(Block block, int64_t n, int64_t i, int64_t j) const {
    const int64_t rows = std::min(kRows, rows_ - i), cols = std::min(kPanel, cols_ - j);
    T* c = out(n) + i * cols_ + j;
    int64_t* place = witness(n) ? witness(n) + i * cols_ + j : nullptr;
    start(c, place, rows, cols);
    const int64_t a_row = p_.x.row_stride(), a_col = p_.x.col_stride(), b_row = p_.y.row_stride();
    // rows of b that lie far apart share few sets of the cache
    const bool packs = rows >= 8 && cols < b_row;
    T* packed = packs ? reinterpret_cast<T*>(thread_scratch(sizeof(T) * kDepth * kPanel)) : nullptr;
    for (int64_t l = 0; l < depth_; l += kDepth) {
      const int64_t depth = std::min(kDepth, depth_ - l);
      const T *a = x(n) + i * a_row + l * a_col, *b = y(n) + l * b_row + j;
      for (int64_t r = 0; packs && r < depth; ++r) {
        std::copy_n(b + r * b_row, cols, packed + r * kPanel);
      }
      block({rows, cols, depth, a, a_row, a_col, packs ? packed : b, packs ? kPanel : b_row, c,
             cols_, place, l});
    }
  }

  // Result n of rows of x that have few elements. At most `live` of them.
  void sparse(int64_t n, int64_t live) const {
    const LiveElements<T> x_elements(p_.x, x(n), identity(), live);
    const auto row = tiles_.row[static_cast<size_t>(p_.semiring)];
    const int64_t b_row = p_.y.row_stride(), *offsets = x_elements.offsets.data();
    const T* b = y(n);
    for_bands(rows_, live, cols_, sizeof(T),
              [&](int64_t begin, int64_t end, int64_t column, int64_t cols) {
                for (int64_t r = begin; r < end; ++r) {
                  T* c = out(n) + r * cols_ + column;
                  int64_t* place = witness(n) ? witness(n) + r * cols_ + column : nullptr;
                  start(c, place, 1, cols);
                  const int64_t first = offsets[r], count = offsets[r + 1] - first;
                  row({x_elements.values.data() + first, x_elements.places.data() + first, count,
                       b + column, b_row, c, place, cols});
                }
              });
  }

  const SemiringPlan& p_;
  const SemiringTiles<T>& tiles_ = semiring_tiles<T>();
  int64_t rows_, depth_, cols_, count_;
};

}  // namespace

Status run_semiring(const SemiringPlan& p) noexcept {
  return run_or_report([&] {
    if (p.dtype == DType::f64) {
      Product<double>(p).run();
    } else {
      Product<float>(p).run();
    }
  });
}

}  // namespace gyre
