#include "gyre/ops/linalg/gemm.h"

#include <algorithm>
#include <cassert>
#include <new>

#include "gyre/base/cpu.h"
#include "gyre/base/half.h"
#include "gyre/base/thread_pool.h"
#include "gyre/kernel/per_isa.h"
#include "gyre/ops/linalg/gemm/gemm_vectors.h"
#include "gyre/ops/linalg/gemm_tiles.h"

namespace gyre {

GYRE_DECLARE_TILES(AllGemmTiles, gemm)

namespace {

GYRE_TILES_FUNCTION(const AllGemmTiles&, all_tiles, AllGemmTiles, gemm)

// Accumulator type, loads and stores of a storage type.
template <class T>
struct Type {
  using Sum = T;
  static constexpr bool kHalf = false;
  static const PackTiles<T>& pack(const AllGemmTiles& all) { return sums(all).pack; }
  static const GemmTiles<T>& sums(const AllGemmTiles& all) {
    if constexpr (sizeof(T) == 4) {
      return all.f32;
    } else {
      return all.f64;
    }
  }
};
template <>
struct Type<f16> {
  using Sum = float;
  static constexpr bool kHalf = true;
  static const HalfTiles& half(const AllGemmTiles& all) { return all.f16; }
  static const PackTiles<float>& pack(const AllGemmTiles& all) { return all.f16.pack; }
  static const GemmTiles<float>& sums(const AllGemmTiles& all) { return all.f32; }
};
template <>
struct Type<bf16> : Type<f16> {
  static const HalfTiles& half(const AllGemmTiles& all) { return all.bf16; }
  static const PackTiles<float>& pack(const AllGemmTiles& all) { return all.bf16.pack; }
};
template <class T>
using SumOf = typename Type<T>::Sum;

// The depth of one pass: its sums stay in registers, and the panels of B that a task packs fit the
// L2 cache.
constexpr int64_t kDepth = 512;
constexpr int64_t kPanels = 4;
// Packed rows and groups of them are padded, so that they do not map to the same cache set.
constexpr int64_t kPad = 16, kPackedRow = kDepth + kPad;
// Rows of a task at most (A, and the sums of 16-bit results, are buffered).
template <class T>
constexpr int64_t kTaskRows = sizeof(T) == 2 ? 256 : 4096 / sizeof(T);
// Columns of A that are further apart than this many elements are packed: a page holds few of them.
constexpr int64_t kFarColumns = 256;
// Columns of a task whose sums need a buffer (16-bit results).
constexpr int64_t kHalfCols = 384;
// Up to this many register tiles of rows, or elements of B, B is read in place.
constexpr int64_t kDirectTiles = 5, kDirectElements = 128 * 128;
// Up to this depth writing C dominates: B is read in place, C is written along its rows.
constexpr int64_t kShallow = 16;

// From this size on, half of a symmetric product pays for copying the other half.
constexpr int64_t kSymmetric = 64;

// A task of about this many outweighs the cost of scheduling it.
constexpr double kTaskWork = 8e6;

int64_t round_up(int64_t x, int64_t to) { return (x + to - 1) / to * to; }
int64_t divide_up(int64_t x, int64_t by) { return (x + by - 1) / by; }
// As many columns of B as a function can be asked for.
int64_t whole_blocks(int64_t cols) { return round_up(cols, Panels<float>::kColumns); }

/// Whether C = A A^T of which half is computed, as by BLAS's syrk: (i, j) and (j, i) have the same
/// terms in the same order. Not for 16-bit results, which are converted a whole task at a time.
template <class T>
bool takes_half(const Gemm<T>& g) {
  return sizeof(T) > 2 && g.a == g.b && g.m == g.n && g.a_row == g.b_col && g.a_col == g.b_row &&
         !g.accumulate && !g.bias && std::min(g.m, g.k) >= kSymmetric;
}

/// Memory of a thread for packed operands; kept until the thread ends. Null when there is none.
class PackBuffer {
 public:
  PackBuffer() = default;
  PackBuffer(const PackBuffer&) = delete;
  PackBuffer& operator=(const PackBuffer&) = delete;
  ~PackBuffer() { release(); }

  void* at_least(size_t bytes) {
    if (bytes > bytes_) {
      release();
      data_ = ::operator new(bytes, kAlignment, std::nothrow);
      bytes_ = data_ ? bytes : 0;
    }
    return data_;
  }

 private:
  static constexpr std::align_val_t kAlignment{4096};
  void release() {
    if (data_) ::operator delete(data_, kAlignment);
    data_ = nullptr;
  }
  void* data_ = nullptr;
  size_t bytes_ = 0;
};

thread_local PackBuffer pack_buffer;

/// How the tasks of a product, each a part of C, read A and B.
struct Plan {
  int64_t task_rows, task_cols;
  int64_t depth;  ///< of a pass; decides the order of the sums, so it depends on k alone
  bool pack_a, pack_b, by_rows;
  bool upper;  ///< only what lies on the diagonal and above it
};

template <class T>
class Blocked {
 public:
  using Sum = SumOf<T>;

  Blocked(const Gemm<T>& g, const AllGemmTiles& all, const Plan& plan,
          const PanelSource<Sum>* source)
      : g_(g), all_(all), tiles_(Type<T>::sums(all)), plan_(plan), source_(source) {
    pack_ = &Type<T>::pack(all);
    block_ = tiles_.block;
    if constexpr (kHalf) {
      const PairTiles& pairs = Type<T>::half(all).pairs;
      if (pairs.block && cpu_features().avx512_bf16) {
        pack_ = &pairs.pack;
        block_ = pairs.block;
        together_ = 2;
      }
    }
  }

  void run(const MatrixPart& part) const {
    if (plan_.upper && part.col + part.cols <= part.row) return;
    const int64_t rows = std::min(part.rows, plan_.task_rows);
    const int64_t a =
        plan_.pack_a
            ? round_up(rows, rows > tiles_.group ? tiles_.group : tiles_.width) * kPackedRow
            : 0;
    const int64_t b = plan_.pack_b ? kDepth * tiles_.cols * kPanels : 0;
    const int64_t c = kHalf ? (rows + 1) * kHalfCols : 0;
    auto* buffer = static_cast<Sum*>(
        a + b + c == 0 ? nullptr
                       : pack_buffer.at_least(static_cast<size_t>(a + b + c) * sizeof(Sum)));
    if (buffer || a + b + c == 0) {
      for_tiles(part, plan_.task_rows, kHalf ? kHalfCols : part.cols, [&](const MatrixPart& tile) {
        run_tile(tile, buffer, buffer + a, buffer + a + b, kPanels * tiles_.cols);
      });
    } else {
      run_on_stack(part);
    }
  }

  /// Calls `body` for the pieces of `part` of at most rows by cols.
  static void for_tiles(const MatrixPart& part, int64_t rows, int64_t cols, auto body) {
    for (int64_t i = 0; i < part.rows; i += rows) {
      for (int64_t j = 0; j < part.cols; j += cols) {
        body(MatrixPart{part.row + i, std::min(rows, part.rows - i), part.col + j,
                        std::min(cols, part.cols - j)});
      }
    }
  }

 private:
  static constexpr bool kHalf = Type<T>::kHalf;
  static constexpr int kMaxRows = 16, kMaxCols = 48 * 4 / sizeof(Sum);

  /// Without memory: one register tile at a time, the same sums.
  __attribute__((noinline)) void run_on_stack(const MatrixPart& part) const {
    alignas(64) Sum a[kMaxRows * kPackedRow], b[kDepth * kMaxCols], c[(kMaxRows + 1) * kHalfCols];
    const int64_t cols = source_ ? whole_blocks(tiles_.cols) : tiles_.cols;
    for_tiles(part, tiles_.rows, cols,
              [&](const MatrixPart& tile) { run_tile(tile, a, b, c, cols); });
  }

  void run_tile(const MatrixPart& tile, Sum* a, Sum* b, Sum* c, int64_t at_once) const {
    GemmBlock<Sum> block{};
    block.rows = tile.rows;
    Sum* out;
    if constexpr (kHalf) {
      out = c + kHalfCols;
      block.c_row = kHalfCols;
      if (g_.bias)
        Type<T>::pack(all_).rows({g_.bias + tile.col, 0, 1, 1, tile.cols}, {c, 0, kHalfCols, 0});
    } else {
      out = g_.c + tile.row * g_.c_row + tile.col;
      block.c_row = g_.c_row;
    }
    block.by_rows = plan_.by_rows;
    int64_t k = 0;
    do {
      const int64_t depth = std::min(plan_.depth, g_.k - k);
      block.depth = divide_up(depth, together_);
      place_a(block, tile, k, depth, a);
      block.accumulate = k > 0 || (!kHalf && g_.accumulate);
      const Sum* bias = nullptr;
      if (k == 0 && g_.bias) {
        if constexpr (kHalf) {
          bias = c;
        } else {
          bias = g_.bias + tile.col;
        }
      }
      const int64_t step = plan_.pack_b ? at_once : tile.cols;
      for (int64_t j = 0; j < tile.cols; j += step) {
        if (plan_.upper) {
          block.diagonal = tile.row - tile.col - j;
          if (step <= block.diagonal) continue;
        }
        place_b(block, tile, k, depth, j, std::min(step, tile.cols - j), b);
        block.c = out + j;
        block.bias = bias ? bias + j : nullptr;
        block_(block);
      }
      k += plan_.depth;
    } while (k < g_.k);
    if constexpr (kHalf) {
      const HalfTiles& half = Type<T>::half(all_);
      (g_.accumulate ? half.add : half.store)(out, kHalfCols, g_.c + tile.row * g_.c_row + tile.col,
                                              g_.c_row, tile.rows, tile.cols);
    }
  }

  void place_a(GemmBlock<Sum>& block, const MatrixPart& tile, int64_t k, int64_t depth,
               Sum* a) const {
    const T* from = g_.a + tile.row * g_.a_row + k * g_.a_col;
    if constexpr (!kHalf) {
      if (!plan_.pack_a) {
        block.a = from;
        block.a_row = g_.a_row;
        block.a_col = g_.a_col;
        block.a_group = tiles_.group * g_.a_row;
        return;
      }
    }
    block.a = a;
    if (g_.a_col == 1) {
      pack_->along({from, g_.a_row, 1, tile.rows, depth}, {a, kPackedRow, kDepth, 0});
      block.a_row = kPackedRow;
      block.a_col = 1;
      block.a_group = tiles_.group * kPackedRow;
    } else {
      const int64_t lanes = std::min<int64_t>(tiles_.group, round_up(tile.rows, tiles_.width));
      block.a_row = 1;
      block.a_col = lanes;
      block.a_group = lanes * block.depth + kPad;
      pack_->rows({from, g_.a_col, 1, depth, tile.rows}, {a, lanes, lanes, block.a_group});
    }
  }

  void place_b(GemmBlock<Sum>& block, const MatrixPart& tile, int64_t k, int64_t depth, int64_t j,
               int64_t cols, Sum* b) const {
    block.cols = cols;
    block.ahead = nullptr;
    if (source_) {
      const PackTarget<Sum> to = panels_of(block, b);
      return (*source_)({{k, depth, tile.col + j, cols}, *pack_, to});
    }
    const T* from = g_.b + k * g_.b_row + (tile.col + j) * g_.b_col;
    if constexpr (!kHalf) {
      if (g_.b_col == 1 && block.depth > kShallow) {
        // The columns behind these, or at the end of a pass the rows below.
        if (!plan_.pack_b) {
          block.ahead = from + tiles_.cols;
        } else if (j + cols < tile.cols) {
          block.ahead = from + cols;
        } else if (k + plan_.depth < g_.k) {
          block.ahead = from - j + plan_.depth * g_.b_row;
        }
        block.ahead_row = g_.b_row;
      }
      if (!plan_.pack_b) {
        block.b = from;
        block.b_row = g_.b_row;
        block.b_panel = tiles_.cols;
        return;
      }
    }
    (g_.b_col == 1 ? pack_->rows : pack_->columns)({from, g_.b_row, g_.b_col, depth, cols},
                                                   panels_of(block, b));
  }

  /// Where B is packed; the block gets to know.
  PackTarget<Sum> panels_of(GemmBlock<Sum>& block, Sum* b) const {
    block.b = b;
    block.b_row = tiles_.cols;
    block.b_panel = tiles_.cols * block.depth;
    return {b, block.b_row, tiles_.cols, block.b_panel};
  }

  const Gemm<T>& g_;
  const AllGemmTiles& all_;
  const GemmTiles<Sum>& tiles_;
  const Plan plan_;
  const PanelSource<Sum>* const source_;  ///< of B; null when it lies in memory
  const PackTiles<Sum>* pack_;
  void (*block_)(const GemmBlock<Sum>&) noexcept;
  int64_t together_ = 1;  ///< elements along the depth in a packed one
};

/// Cuts C into tasks. Any cut gives the same bits, because each element is summed by itself in
/// passes of the same depth; so this may look at the number of threads, which affects speed only.
/// `made`: B comes from a function.
template <class T>
void cut_into_tasks(const Gemm<T>& g, const GemmTiles<SumOf<T>>& tiles, bool made, Plan& plan) {
  const int threads = num_threads();
  const double all = gemm_work(g);
  int64_t tasks = 1;
  if (threads > 1 && all >= kParallelWork) {
    tasks =
        all < threads * kTaskWork ? threads : threads * (all < 16 * threads * kTaskWork ? 2 : 4);
    if (plan.upper) tasks = 4 * threads;  // which are of different sizes
  }
  // A cut along the rows packs B again, or decodes it, one along the columns reads A again.
  constexpr int64_t kCostOfB = 12, kCostOfMadeB = 32, kCostOfA = 8;
  const int64_t cost_of_b = made ? kCostOfMadeB : kCostOfB;
  const int64_t least = divide_up(g.m, kTaskRows<T>);
  int64_t best = 0;
  for (int64_t down = least; down <= least * tasks; ++down) {
    const int64_t rows = round_up(divide_up(g.m, down), tiles.rows);
    const int64_t across = divide_up(tasks, divide_up(g.m, rows));
    const int64_t exact = divide_up(g.n, across);
    const int64_t step = exact < 8 * tiles.cols ? tiles.width : tiles.cols;
    const int64_t cols = round_up(exact, made ? whole_blocks(step) : step);
    const int64_t rounds = divide_up(divide_up(g.m, rows) * divide_up(g.n, cols), threads);
    const int64_t cost = rounds * (rows * cols + cost_of_b * cols + kCostOfA * rows);
    if (best == 0 || cost < best) {
      best = cost;
      plan.task_rows = rows;
      plan.task_cols = cols;
    }
  }
}

template <class T>
Plan plan_for(const Gemm<T>& g, const GemmTiles<SumOf<T>>& tiles, bool made) {
  Plan plan{};
  plan.upper = !made && takes_half(g);
  cut_into_tasks(g, tiles, made, plan);
  plan.depth = round_up(divide_up(g.k, std::max<int64_t>(1, divide_up(g.k, kDepth))), 8);
  const bool tall = plan.task_rows > kDirectTiles * tiles.rows, shallow = g.k <= kShallow;
  plan.pack_a =
      Type<T>::kHalf || (g.a_col > kFarColumns && !shallow && plan.task_cols > tiles.cols);
  // Read in place, the last vector of a row would extend past the end of B.
  const bool ragged = g.n % tiles.width != 0;
  plan.pack_b = Type<T>::kHalf || made || g.b_col != 1 || ragged ||
                (tall && !shallow && g.k * g.n > kDirectElements);
  plan.by_rows = plan.pack_b || shallow;
  return plan;
}

/// Copies what lies above the diagonal of C below it.
template <class T>
void mirror(const Gemm<T>& g) {
  constexpr int64_t kSide = 16;
  parallel_for(divide_up(g.m, kSide), divide_up(1 << 16, kSide * g.m),
               [&](int64_t begin, int64_t end) {
                 for (int64_t row = begin * kSide; row < std::min(end * kSide, g.m); row += kSide) {
                   for (int64_t col = 0; col <= row; col += kSide) {
                     for (int64_t i = row; i < std::min(row + kSide, g.m); ++i) {
                       T* to = g.c + i * g.c_row;
                       for (int64_t j = col; j < std::min(col + kSide, i); ++j)
                         to[j] = g.c[j * g.c_row + i];
                     }
                   }
                 }
               });
}

template <class T>
void run_blocked(const Gemm<T>& g, const AllGemmTiles& all, const PanelSource<SumOf<T>>* source) {
  const Plan plan = plan_for(g, Type<T>::sums(all), source != nullptr);
  const Blocked<T> blocked(g, all, plan, source);
  const int64_t across = divide_up(g.n, plan.task_cols),
                tasks = divide_up(g.m, plan.task_rows) * across;
  parallel_for(tasks, 1, [&](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end; ++task) {
      const int64_t row = task / across * plan.task_rows, col = task % across * plan.task_cols;
      blocked.run(
          {row, std::min(plan.task_rows, g.m - row), col, std::min(plan.task_cols, g.n - col)});
    }
  });
  if (plan.upper) mirror(g);
}

/// Strides along an extent of at most one say nothing: choose the ones that are easiest to serve.
template <class T>
Gemm<T> normalised(Gemm<T> g) {
  if (g.k <= 1 && g.a_row != 1) g.a_col = 1;
  if (g.m <= 1 && g.a_col != 1) g.a_row = 1;
  if (g.n <= 1 && g.b_row != 1) g.b_col = 1;
  if (g.k <= 1 && g.b_col != 1) g.b_row = 1;
  assert((g.a_row == 1 || g.a_col == 1) && (g.b_row == 1 || g.b_col == 1));
  return g;
}

// Up to this many multiplications, planning and packing would take longer than a product.
constexpr int64_t kTinyWork = 48;

/// Products that are tiny, if they are, with the bits of blocks.
template <class T>
bool run_tiny_batch(const Gemm<T>& first, int64_t count,
                    FunctionRef<void(int64_t, Gemm<T>&)> place) {
  const GemmTiles<T>& tiles = Type<T>::sums(all_tiles());
  const Gemm<T> g = normalised(first);
  if (gemm_work(g) > kTinyWork || g.bias || g.accumulate || way_of(g, tiles) != GemmWay::blocks) {
    return false;
  }
  parallel_for(count, static_cast<int64_t>(kParallelWork / 10 / (gemm_work(g) + 10)) + 1,
               [&](int64_t begin, int64_t end) {
                 for (int64_t i = begin; i < end; ++i) {
                   Gemm<T> one = g;
                   place(i, one);
                   tiles.tiny({one.m, one.n, one.k, one.a, one.a_row, one.a_col, one.b, one.b_row,
                               one.b_col, one.c, one.c_row});
                 }
               });
  return true;
}

}  // namespace

template <class T>
void gemm(const Gemm<T>& product) noexcept {
  if (product.m <= 0 || product.n <= 0) return;
  const AllGemmTiles& all = all_tiles();
  const Gemm<T> g = normalised(product);
  if constexpr (Type<T>::kHalf) {
    constexpr int64_t kFewRows = 8;  // more pay for converting B once
    if (g.m <= kFewRows && g.a_col == 1 && g.b_row == 1 && g.k >= all.f32.width)
      return gemm_by_dots(g, Type<T>::half(all).dot);
  } else if (gemm_by_vectors(g, Type<T>::sums(all))) {
    return;
  }
  run_blocked<T>(g, all, nullptr);
}

template <class T>
T* Panels<T>::at(int64_t row, int64_t col) const noexcept {
  const int64_t i = row - block_.row, j = col - block_.col;
  return to_.data + j / to_.panel * to_.panel_stride + i * to_.row + j % to_.panel;
}

template <class T>
int64_t Panels<T>::stride() const noexcept {
  return to_.row;
}

template <class T>
void Panels<T>::put(const MatrixPart& part, const T* from, int64_t row,
                    int64_t col) const noexcept {
  const Pack<T> pack = col == 1 ? pack_.rows : pack_.columns;
  for (int64_t j = 0, cols = 0; j < part.cols; j += cols) {
    const int64_t first = part.col + j;
    cols = std::min(part.cols - j, to_.panel - (first - block_.col) % to_.panel);
    pack({from + j * col, row, col, part.rows, cols},
         {at(part.row, first), to_.row, to_.panel, to_.panel_stride});
  }
}

template <class T>
void gemm(const Gemm<T>& product, PanelSource<T> b) noexcept {
  if (product.m <= 0 || product.n <= 0) return;
  run_blocked(normalised(product), all_tiles(), &b);
}

template class Panels<float>;
template void gemm(const Gemm<float>&, PanelSource<float>) noexcept;

template <class T>
void gemm_batched(const Gemm<T>& first, int64_t count,
                  FunctionRef<void(int64_t, Gemm<T>&)> place) noexcept {
  if constexpr (!Type<T>::kHalf) {
    if (run_tiny_batch(first, count, place)) return;
  }
  const auto run = [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      Gemm<T> one = first;
      place(i, one);
      gemm(one);
    }
  };
  const double each = gemm_work(first);
  if (each >= kTaskWork && count < 2 * num_threads()) {
    run(0, count);  // each product is split on its own
  } else {
    parallel_for(count, static_cast<int64_t>(kParallelWork / (each + 1)) + 1, run);
  }
}

#define GYRE_INSTANTIATE(T)                           \
  template void gemm(const Gemm<T>&) noexcept;        \
  template void gemm_batched(const Gemm<T>&, int64_t, \
                             FunctionRef<void(int64_t, Gemm<T>&)>) noexcept;
GYRE_INSTANTIATE(float)
GYRE_INSTANTIATE(double)
GYRE_INSTANTIATE(f16)
GYRE_INSTANTIATE(bf16)
#undef GYRE_INSTANTIATE

}  // namespace gyre
