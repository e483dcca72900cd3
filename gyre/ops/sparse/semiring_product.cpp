#include "gyre/ops/sparse/semiring_product.h"

#include <algorithm>

#include "gyre/op/launch.h"
#include "gyre/ops/sparse/semiring_factors.h"
#include "gyre/ops/sparse/structure.h"

namespace gyre {

namespace {

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
      std::fill_n(c + r * cols_, cols, identity_);
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
    const LiveElements<T> x_elements(p_.x, x(n), identity_);
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
  const T identity_ = identity_of<T>(p_.semiring);
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
